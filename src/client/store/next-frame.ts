/**
 * Calls `show` with the next animation frame. A page in the background has no frames, so a timer replaces them. It is
 * longer than the frames of a busy page, which would otherwise show twice in a frame.
 */
export function nextFrame(show: () => void): void {
  if (typeof requestAnimationFrame !== "function") {
    setTimeout(show, 16);
    return;
  }
  const showOnce = (): void => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    show();
  };
  const frame = requestAnimationFrame(showOnce);
  const timer = setTimeout(showOnce, 1_000);
}
