import { isIP } from 'node:net';
import { z } from 'zod';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { say } from '../../src-preload/contract/saying.ts';
import { isLoopback } from '../base/loopback.ts';
import { about, type Contradiction, configError, section, WEB_ADDRESS, webAddress } from '../base/setting.ts';
import { parsePublicUrl } from '../http/addresses.ts';
import { TlsFiles } from '../http/tls-files.ts';

const HOST_NAME = /^(?!-)[\w-]{1,63}(?:\.[\w-]{1,63})*\.?$/;

const shape = {
  port: z
    .int()
    .min(0)
    .max(65_535)
    .default(7_070)
    .meta(
      about('Port of the API; 0 lets the system choose.', { option: { form: '--port <n>', help: 'port of the API' } }),
    ),
  host: z
    .string()
    .refine(isHost)
    .default('127.0.0.1')
    .meta(
      about('Address that the API listens on; any but loopback needs `apiToken`.', {
        wanted: say('settings.wanted.host'),
      }),
    ),
  apiToken: z
    .string()
    .min(16)
    .max(512)
    .optional()
    .meta(about('Token that callers of the API must send, and people who open the screens.', { secret: true })),
  metricsToken: z
    .string()
    .min(16)
    .max(512)
    .optional()
    .meta(
      about(
        'Token that opens `/metrics` and nothing else, for whoever watches this node; `apiToken` opens it, too, and has to be another one.',
        { secret: true },
      ),
    ),
  localApiOpen: z
    .boolean()
    .default(true)
    .meta(
      about(
        'Whether programs of this computer may use the API (`/v1`, `/metrics`) without a token as long as `apiToken` is not set: those of its other accounts too. The screens, the contract and learning from feedback always want one, or a login.',
      ),
    ),
  inferenceProbes: z
    .boolean()
    .default(false)
    .meta(
      about(
        'Whether validators of QUASAR may look with which model this node computes, and how fast: `/inference`, `/model_info` and `/health` beside the API, for whoever may use that.',
      ),
    ),
  tlsCert: z
    .string()
    .min(1)
    .max(4_096)
    .optional()
    .meta(about('Certificate (PEM file) to serve HTTPS with; wants `tlsKey` too.', { isPath: 'always' })),
  tlsKey: z
    .string()
    .min(1)
    .max(4_096)
    .optional()
    .meta(about('Private key (PEM file) of `tlsCert`.', { isPath: 'always' })),
  publicUrl: webAddress.optional().meta(
    about('Address at which a proxy in front serves this node, as in "https://quarry.example.org"; needs `apiToken`.', {
      wanted: WEB_ADDRESS,
    }),
  ),
};

/** An IP address, or a name as DNS and hosts files have them; whether it is one of this computer is seen when it listens. */
function isHost(text: string): boolean {
  return isIP(text) > 0 || (text.length <= 253 && HOST_NAME.test(text));
}

type Values = z.infer<z.ZodObject<typeof shape>>;

/** Where the screens and the API are, and who may use them. */
export const serverSettings = section(shape, {
  contradiction: (values) =>
    openHostNeedsToken(values) ??
    tokensDiffer(values) ??
    certificateNeedsKey(values) ??
    publicUrlNeedsToken(values) ??
    publicUrlIsRoot(values),
  checkFiles: async ({ tlsCert: cert, tlsKey: key }, changed, log) => {
    if (cert && key && (changed.has('tlsCert') || changed.has('tlsKey'))) await new TlsFiles({ cert, key }, log).read();
  },
});

function openHostNeedsToken({ host, apiToken }: Values): Contradiction | undefined {
  if (isLoopback(host) || apiToken) return undefined;
  const error = configError(say('settings.openHost', { host }), say('settings.tokenOrHost'), 'apiToken');
  return { between: ['host', 'apiToken'], error };
}

/** Whoever watches the node would be let in everywhere. */
function tokensDiffer({ apiToken, metricsToken }: Values): Contradiction | undefined {
  if (!metricsToken || metricsToken !== apiToken) return undefined;
  const error = configError(say('settings.sameTokens'), say('settings.otherMetricsToken'), 'metricsToken');
  return { between: ['apiToken', 'metricsToken'], error };
}

function certificateNeedsKey({ tlsCert, tlsKey }: Values): Contradiction | undefined {
  if ((tlsCert === undefined) === (tlsKey === undefined)) return undefined;
  const error = configError(say('settings.together'), undefined, 'tlsCert');
  return { between: ['tlsCert', 'tlsKey'], error };
}

function publicUrlNeedsToken({ publicUrl, apiToken }: Values): Contradiction | undefined {
  if (!publicUrl || apiToken) return undefined;
  const error = configError(say('settings.openUrl', { publicUrl }), say('settings.setToken'), 'apiToken');
  return { between: ['publicUrl', 'apiToken'], error };
}

/** The server would refuse it too, but only when the node is opened. */
function publicUrlIsRoot({ publicUrl }: Values): Contradiction | undefined {
  if (!publicUrl) return undefined;
  try {
    parsePublicUrl(publicUrl);
    return undefined;
  } catch (error) {
    return { between: ['publicUrl'], error: QuarryError.from(error) };
  }
}
