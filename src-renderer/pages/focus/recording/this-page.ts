/** Tells this page from others of the same app: only one of them goes on with a recording that is heard of. */
export const THIS_PAGE: string = crypto.getRandomValues(new Uint32Array(4)).join('-');
