import { randomBytes } from 'node:crypto';

/**
 * The mesh of this test file and of the processes that it starts. Test files run side by side on the loopback interface, and
 * a port that one of them gave back may be another's a moment later: then their DHTs become one, and nodes of both would meet.
 */
process.env.MESH_UNDER_TEST ??= `test-${randomBytes(8).toString('hex')}`;
export const TEST_MESH = { name: process.env.MESH_UNDER_TEST };
