/** The screens have a scheme of their own: pages of file:// may read other files. */
export const APP_SCHEME = 'quarry-app';
const APP_HOST = 'app';
export const APP_ORIGIN = `${APP_SCHEME}://${APP_HOST}`;

/** Whether an address is one of the app's own pages. */
export function isOwnPage(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed?.protocol === `${APP_SCHEME}:` && parsed.host === APP_HOST;
}
