/** The thread of a SchemaCheck: tells of each call whether its arguments are as the tool's schema wants them. */
import { parentPort } from 'node:worker_threads';
import { type Schema, Validator } from '@cfworker/json-schema';
import type { SchemaOrder } from './schema-check.ts';

parentPort?.postMessage('ready');
parentPort?.on('message', (orders: SchemaOrder[]) => parentPort?.postMessage(orders.map(fits)));

/** What cannot be checked (a reference to nowhere, a schema without end) is as good as wrong. */
function fits({ schema, args }: SchemaOrder): boolean {
  try {
    return new Validator(schema as Schema, '2020-12').validate(JSON.parse(args)).valid;
  } catch {
    return false; // its hint would be one for who wrote the schema, and here is only who asked
  }
}
