import { z } from 'zod';
import { say } from '../../src-preload/contract/saying.ts';
import { about, section } from '../base/setting.ts';
import { sha256 } from '../base/sha256.ts';

const address = z
  .string()
  .regex(/^[^\s:]+:[1-9]\d{0,4}$/)
  .refine((text) => Number(text.split(':')[1]) <= 65_535);

const mesh = {
  name: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .meta(
      about('Mesh to join.', {
        option: { form: '--mesh-name <name>', help: 'mesh to join' },
        shownDefault: 'the public mesh',
      }),
    ),
  secret: z
    .string()
    .min(8)
    .max(256)
    .optional()
    .meta(
      about('Makes the mesh private: only nodes with the same name and secret meet.', {
        secret: true,
        // Without its secret, a node of a private mesh would be on a public one: with one that nobody has, it meets nobody.
        standIn: (sealed) => sha256(sealed).toString('hex'),
      }),
    ),
  otherModels: z
    .boolean()
    .default(true)
    .meta(
      about(
        'Whether a miner offers the other installed models to the mesh beside its own: one is loaded when somebody asks for it, if there is memory.',
      ),
    ),
  scoreLogsMb: z
    .int()
    .min(16)
    .max(1_000_000)
    .default(512)
    .meta(
      about(
        'MB of disk for score logs of others. When they take more, those of least use go first; what they have proven stays known.',
      ),
    ),
};

/** Which mesh, and how it is met. */
export const meshSettings = section({
  bootstrap: z
    .array(address)
    .max(64)
    .default([])
    .meta(
      about('DHT nodes to meet the mesh through.', {
        wanted: say('settings.wanted.addresses'),
        option: { form: '--bootstrap <host:port>', help: 'DHT node to meet the mesh through; may be repeated' },
        shownDefault: 'the public ones',
      }),
    ),
  mesh: z.strictObject(mesh),
});
