import { describe, expect, it } from "vitest";
import { LiveView } from "#src/cli/terminal/live-view.js";
import { Screen } from "../screen.js";

function setup(columns = 20, rows = 10): { screen: Screen; view: LiveView } {
  const screen = new Screen(columns, rows);
  screen.write("before\n");
  return { screen, view: new LiveView(screen) };
}

describe("LiveView", () => {
  it("paints each frame over the one before, even if it is shorter", () => {
    const { screen, view } = setup();
    for (const lines of [["a"], ["a", "b"], ["a", "bb", "c"], ["x"], ["x", "y"]]) {
      view.show(() => lines);
      expect(screen.text).toBe(["before", ...lines].join("\n"));
    }
    view.close();
  });

  it("keeps the last frame and restores the cursor when it is closed", () => {
    const { screen, view } = setup();
    view.show(() => ["last"]);
    expect(screen.cursorVisible).toBe(false);
    view.close();
    screen.write("after");
    expect(screen.cursorVisible).toBe(true);
    expect(screen.text).toBe("before\nlast\nafter");
  });

  it("writes only the lines that differ, and cuts those that are too long", () => {
    const { screen, view } = setup(8);
    view.show(() => ["one", "two", "three"]);
    screen.written = "";
    view.show(() => ["one", "2", "three"]);
    expect(screen.written).toContain("2");
    expect(screen.written).not.toMatch(/one|three/);
    screen.written = "";
    view.show(() => ["one", "2", "three"]);
    expect(screen.written).toBe("");
    view.show(() => ["one", "123456789", "three"]);
    expect(screen.text).toBe("before\none\n12345679\nthree");
    view.close();
  });

  it("erases the frame when it is cleared", () => {
    const { screen, view } = setup();
    view.show(() => ["one", "two", "three"]);
    view.clear();
    screen.write("after\n");
    view.close();
    expect(screen.text).toBe("before\nafter");
  });

  // A terminal of no columns and rows does not know its size, and counts as one of 80 by 24.
  it.each([
    [33, 7, [33, 6]],
    [0, 0, [80, 23]],
  ])("passes the available size to the frame, in a terminal of %d by %d", (width, height, expected) => {
    const { view } = setup(width, height);
    const sizes: number[][] = [];
    view.show((columns, rows) => {
      sizes.push([columns, rows]);
      return [];
    });
    view.close();
    expect(sizes).toEqual([expected]); // one row is for the cursor
  });

  it("repaints when the terminal becomes larger", () => {
    const { screen, view } = setup(8, 10);
    view.show((columns) => ["-".repeat(columns), "=".repeat(columns)]);
    screen.resize(12, 10);
    expect(screen.text).toBe("before\n------------\n============");
    view.show(() => ["end"]);
    expect(screen.text).toBe("before\nend");
    view.close();
  });

  it("erases a frame that the terminal has wrapped, even if the resize event is late", () => {
    const { screen, view } = setup(20, 10);
    const frame = (columns: number): string[] => ["-".repeat(columns), "=".repeat(columns)];
    view.show(frame);
    screen.resize(8, 10, () => {
      view.show((columns) => [...frame(columns), "late"]);
      view.show(frame);
    });
    expect(screen.text).toBe("--------\n========");
    screen.resize(8, 4);
    expect(screen.text).toBe("--------\n========");
    view.show(() => ["end"]);
    expect(screen.text).toBe("end");
    view.close();
    screen.resize(6, 4);
    expect(screen.text).toBe("end");
  });

  it("removes its listeners when it is closed", () => {
    const before = process.listenerCount("exit");
    const { screen, view } = setup();
    expect(process.listenerCount("exit")).toBe(before + 1);
    view.close();
    expect(process.listenerCount("exit")).toBe(before);
    expect(screen.listenerCount("resize")).toBe(0);
  });
});
