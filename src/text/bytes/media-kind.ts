/** The type of the block for a medium of this MIME type: `image/png` is an image, `application/pdf` a file. */
export function mediaKind(mimeType: string): "image" | "audio" | "video" | "file" {
  const [kind] = mimeType.split("/", 1);
  return kind === "image" || kind === "audio" || kind === "video" ? kind : "file";
}

/** May a page show the address? Not `javascript:`, which a page would run as a link. */
export function isMediaUrl(url: string): boolean {
  return /^(?:https?|data|blob):/i.test(url);
}
