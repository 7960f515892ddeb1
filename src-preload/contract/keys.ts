import { z } from 'zod';
import { hexPattern } from './limits.ts';
import { values } from './sayings/values.ts';

/** SHA-256, 64 hex. */
export const sha256Schema = z.string().regex(hexPattern(32), values['value.sha256']);
/** A node's identity: its ed25519 public key, 64 hex. */
export const nodeIdSchema = sha256Schema;
/** An ed25519 signature, 128 hex. */
export const signatureSchema = z.string().regex(hexPattern(64));
/** 128 random bits, 32 hex: a name that nobody else gives. */
export const randomIdSchema = z.string().regex(hexPattern(16));
/** Chosen by the client. */
export const requestIdSchema = randomIdSchema;
