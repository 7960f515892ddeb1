/** What the build writes into index.html wherever the nonce of a response belongs. */
const NONCE_PLACEHOLDER = '__CSP_NONCE__';

/**
 * What the screens may load and whom they may talk to: their own origin, and nothing else. `'self'` covers the WebSocket of the
 * same host. Trusted types are not asked for: Mantine writes its `<style>` elements as HTML.
 *
 * @param nonce fresh for every response; marks the inline scripts and styles that are ours
 */
export function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The page with the nonce that its policy names. */
export function withNonce(html: string, nonce: string): string {
  return html.replaceAll(NONCE_PLACEHOLDER, nonce);
}
