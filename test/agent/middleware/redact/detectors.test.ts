import { card, type Detector, email, ip } from "millrace/agent";
import { everyCut, fixedSizes } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { shownText } from "./redacted.js";

/** A text, and what is shown of it. */
type Row = readonly [text: string, shown: string];

const tables: readonly (readonly [name: string, detector: Detector, rows: readonly Row[]])[] = [
  [
    "email",
    email,
    [
      ["ada@example.com", "[email]"],
      ["Write to ada.l+x_y%z@mail.example.co.uk.", "Write to [email]."],
      ["<ada@example.com>, (bo@example.org); 'cy@example.net'", "<[email]>, ([email]); '[email]'"],
      ["mailto:ada@example.com?subject=Hi", "mailto:[email]?subject=Hi"],
      ["https://example.com/?to=ada@example.com&x=1", "https://example.com/?to=[email]&x=1"],
      ["jürgen@müller.example", "[email]"],
      ["почта@пример.рус", "[email]"],
      ["联系ada@example.com谢谢", "联系[email]谢谢"],
      ["a@example.com,b@example.com", "[email],[email]"],
      ["ada@example.com@bo@example.com", "[email]@[email]"],
      [
        "ada@b.c, ada@localhost, @ada, ada@, @, @@, ada@.com, ada@1.2.3.4",
        "ada@b.c, ada@localhost, @ada, ada@, @, @@, ada@.com, ada@1.2.3.4",
      ],
      [`${"a".repeat(64)}@example.com`, "[email]"],
      [`${"a".repeat(700)}@example.com`, `${"a".repeat(636)}[email]`],
    ],
  ],
  [
    "card",
    card,
    [
      ["4111111111111111", "[card]"],
      ["Card: 4111 1111 1111 1111, 12/27", "Card: [card], 12/27"],
      ["4111-1111-1111-1111 123", "[card] 123"],
      ["2023 4111 1111 1111 1111", "2023 [card]"],
      ["Amex 3782 822463 10005 or 378282246310005", "Amex [card] or [card]"],
      ["5555555555554444 6011111111111117 2223003122003222", "[card] [card] [card]"],
      ["4222222222222", "[card]"],
      ["4111111111111112 is no card", "4111111111111112 is no card"],
      ["Years: 2019 2020 2021 2022 2023 2024 2025 2026", "Years: 2019 2020 2021 2022 2023 2024 2025 2026"],
      [
        "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20",
        "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20",
      ],
      ["94111111111111111, 41111111111111110000000", "94111111111111111, 41111111111111110000000"],
      ["+49 30 901820, 2026-11-28 15:30", "+49 30 901820, 2026-11-28 15:30"],
    ],
  ],
  [
    "ip",
    ip,
    [
      ["192.0.2.1", "[ip]"],
      ["From 192.0.2.1:8080, to 192.0.2.255/24.", "From [ip]:8080, to [ip]/24."],
      ["ip:192.0.2.1.", "ip:[ip]."],
      ["::1 and fe80::1%eth0 and 2001:db8::, [2001:db8::1]:443", "[ip] and [ip]%eth0 and [ip], [[ip]]:443"],
      ["2001:0db8:0000:0000:0000:ff00:0042:8329: up", "[ip]: up"],
      ["::ffff:192.0.2.1", "[ip]"],
      ["Addr: 2001:DB8::8:800:200C:417A.", "Addr: [ip]."],
      ["256.1.1.1, 1.2.3, 1.2.3.4.5, v1.2.3.4, 1.2.3.4a", "256.1.1.1, 1.2.3, 1.2.3.4.5, v1.2.3.4, 1.2.3.4a"],
      [
        "std::cout, a::b, ::, 12:30:45, 00:1a:2b:3c:4d:5e, 1:2:3:4:5:6:7",
        "std::cout, a::b, ::, 12:30:45, 00:1a:2b:3c:4d:5e, 1:2:3:4:5:6:7",
      ],
      ["1::2::3", "1::2::3"],
    ],
  ],
];

describe.each(tables)("%s", (name, detector, rows) => {
  test.each(rows)("in %j", async (text, shown) => {
    for (const pieces of [[text], ...everyCut(text), ...fixedSizes(text, [1, 2, 3, 7])])
      expect(await shownText(pieces, { detectors: { [name]: detector } })).toBe(shown);
  });
});
