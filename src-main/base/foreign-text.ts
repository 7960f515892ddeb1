/**
 * What steers a terminal or turns the text around it: control characters other than the end of a line and the tab, and
 * the marks that change the direction of writing.
 */
const STEERING = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A stranger's words (a peer's, a server's, a child's) as they may stand on a terminal and in an error. */
export function withoutControls(text: string): string {
  return text.replace(STEERING, '');
}

/** The same in one line, without spaces at its ends. */
export function foreignLine(text: string): string {
  return withoutControls(text.replace(/[\p{Cc}\s]+/gu, ' ')).trim();
}

/** Bold, dim and six colours, and their ends: what `styleText` writes for us. */
const OWN_STYLE = String.raw`\u001b\[(?:1|2|22|3[1-69])m`;
const STEERING_OR_STYLE = new RegExp(`${OWN_STYLE}|${STEERING.source}`, 'gu');

/** A line of ours, in which only our own styles may steer the terminal: a net for what was not cleaned before it was styled. */
export function withStylesOnly(text: string): string {
  return text.replace(STEERING_OR_STYLE, (found) => (found.length > 1 ? found : ''));
}

/** JSON in which what would steer a terminal is written as an escape: JSON itself does so only below U+0020. */
export function terminalJson(value: unknown, space?: number): string {
  return escapedControls(JSON.stringify(value, null, space));
}

/** The same for a text that is JSON already. */
export function escapedControls(json: string): string {
  const escaped = (found: string) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return json.replace(STEERING, escaped);
}
