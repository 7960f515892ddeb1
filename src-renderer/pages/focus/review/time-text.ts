/** «1:02.5»: to the tenth of a second, as a time line needs it. @param ms milliseconds */
export function tenthsText(ms: number): string {
  const tenths = Math.floor(ms / 100);
  const [minutes, rest] = [Math.floor(tenths / 600), tenths % 600];
  return `${minutes}:${String(Math.floor(rest / 10)).padStart(2, '0')}.${rest % 10}`;
}
