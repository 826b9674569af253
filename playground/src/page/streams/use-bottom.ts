import { type RefObject, useLayoutEffect, useRef } from "react";

/** Keeps the end of growing content visible, unless the user has scrolled away from it. */
export function useBottom<E extends HTMLElement>(
  content: unknown,
): {
  readonly ref: RefObject<E | null>;
  readonly onScroll: () => void;
} {
  const ref = useRef<E>(null);
  const follows = useRef(true);
  useLayoutEffect(() => {
    if (follows.current && ref.current !== null) ref.current.scrollTop = ref.current.scrollHeight;
  }, [content]);
  return {
    ref,
    onScroll() {
      const { scrollTop, scrollHeight, clientHeight } = ref.current ?? {
        scrollTop: 0,
        scrollHeight: 0,
        clientHeight: 0,
      };
      follows.current = scrollHeight - scrollTop - clientHeight < 32;
    },
  };
}
