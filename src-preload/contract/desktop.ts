import { oc } from '@orpc/contract';
import { z } from 'zod';
import { saidSchema } from './saying-schema.ts';

export const UPDATE_STATES = ['off', 'current', 'checking', 'downloading', 'ready', 'failed'] as const;

export const updateSchema = z.object({
  state: z.enum(UPDATE_STATES),
  /** Of the update, once one was found. */
  version: z.string().optional(),
  /** How far the download is, 0 to 100. */
  percent: z.number().optional(),
  /** Why there are no updates, or what went wrong; one sentence. */
  message: z.string().optional(),
  said: saidSchema,
});
export type Update = z.infer<typeof updateSchema>;

export const desktopStateSchema = z.object({
  /** False where main runs without a window: what needs one is then not offered, and `reason` says why. */
  available: z.boolean(),
  reason: z.string().optional(),
  said: saidSchema,
  /** Whether the app starts when its user logs in; null where that cannot be had. */
  startOnLogin: z.boolean().nullable(),
  /** How well the tokens and keys that are set in the app are kept. */
  secrets: z.object({
    /** Whether the operating system keeps their key. */
    protected: z.boolean(),
    /** One honest sentence for a person. */
    note: z.string(),
    said: saidSchema,
  }),
  update: updateSchema,
});
export type DesktopState = z.infer<typeof desktopStateSchema>;

/** What only the desktop app can do. Elsewhere each call but `state` fails with NOT_RUNNING and says so. */
export const desktopContract = {
  state: oc.output(desktopStateSchema),
  setStartOnLogin: oc.input(z.object({ on: z.boolean() })).output(desktopStateSchema),
  /** The system's own dialog; null when it was closed without a choice. */
  pickModelFile: oc.output(z.object({ path: z.string().nullable() })),
  pickFolder: oc.output(z.object({ path: z.string().nullable() })),
  /** Shows one of Quarry's folders in the system's file manager. */
  openFolder: oc.input(z.object({ folder: z.enum(['data', 'models']) })).output(z.void()),
  checkForUpdate: oc.output(updateSchema),
  /** Ends the app and starts the new version. @throws BAD_REQUEST while none is ready */
  installUpdate: oc.output(z.void()),
};
