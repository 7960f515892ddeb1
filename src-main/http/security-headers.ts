import type { FastifyInstance } from 'fastify';

/** Abilities of a browser that no screen uses; screen and microphone are recorded, by pages of this server alone. */
const DENIED = [
  'accelerometer',
  'camera',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'midi',
  'payment',
  'serial',
  'usb',
];

const RECORDED = ['display-capture', 'microphone'];

/** What every answer says; the page with the screens has a policy of its own. */
const HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': [
    ...DENIED.map((ability) => `${ability}=()`),
    ...RECORDED.map((ability) => `${ability}=(self)`),
  ].join(', '),
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
