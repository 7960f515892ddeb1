import { useLayoutEffect, useState } from 'react';

/** What had the focus before this was shown has it again when it goes: with keys alone, the place would be lost. */
export function useFocusBack(): void {
  const [before] = useState(() => document.activeElement);
  useLayoutEffect(() => () => void (before instanceof HTMLElement && before.focus()), [before]);
}
