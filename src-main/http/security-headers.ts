import type { FastifyInstance } from 'fastify';

/** Abilities of a browser that nothing from here uses, but what the page with the screens is allowed below. */
const DENIED = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
];

const permissions = (...allowed: string[]) =>
  DENIED.map((ability) => `${ability}=(${allowed.includes(ability) ? 'self' : ''})`).join(', ');

/** What the page with the screens may be allowed by whoever looks at it: to record the screen, and what they say. Pages within it may not. */
export const SCREEN_PERMISSIONS = permissions('display-capture', 'microphone');

/** What every answer says; the page with the screens has a policy of its own. */
const HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': permissions(),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** 30 days: long enough to protect, short enough to go back to plain HTTP some day. */
const HSTS = { 'strict-transport-security': 'max-age=2592000' };

/**
 * Tells browsers what they may do with what comes from here.
 *
 * @param hsts whether browsers have to come over TLS from now on
 */
export function addSecurityHeaders(app: FastifyInstance, { hsts }: { hsts: boolean }): void {
  const headers = { ...HEADERS, ...(hsts && HSTS) };
  app.addHook('onRequest', async (_request, reply) => void reply.headers(headers));
}
