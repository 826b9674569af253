import { expect, test } from "vitest";
import { isNetworkFileSystem } from "#src/durable/journals/file/folder-lock.js";

test("a folder on NFS, SMB or CIFS is recognized, one on a local disk is not", () => {
  const [nfs, smb2, signedSmb2] = [0x6969, 0xfe534d42, 0xfe534d42 | 0];
  expect([nfs, smb2, signedSmb2].map(isNetworkFileSystem)).toEqual([true, true, true]);
  const [ext4, overlay, tmpfs] = [0xef53, 0x794c7630, 0x01021994];
  expect([ext4, overlay, tmpfs].map(isNetworkFileSystem)).toEqual([false, false, false]);
});
