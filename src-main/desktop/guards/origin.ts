/** The screens have a scheme of their own: pages of file:// may read other files. */
export const APP_SCHEME = 'quarry-app';
const APP_HOST = 'app';
export const APP_ORIGIN = `${APP_SCHEME}://${APP_HOST}`;
/** The page that trains on the GPU is another origin: whatever is open to the screens is not open to it. */
const TRAINER_HOST = 'trainer';
export const TRAINER_ORIGIN = `${APP_SCHEME}://${TRAINER_HOST}`;

/** Whether an address is one of the app's own pages. */
export function isOwnPage(url: string): boolean {
  return isOf(APP_HOST, url);
}

/** Whether an address is that of the page that trains, or of one of its scripts. */
export function isTrainerPage(url: string): boolean {
  return isOf(TRAINER_HOST, url);
}

function isOf(host: string, url: string): boolean {
  const parsed = URL.parse(url);
  return parsed?.protocol === `${APP_SCHEME}:` && parsed.host === host;
}
