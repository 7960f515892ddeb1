/** A whole little mesh that opens, serves one request and closes; the process must then end by itself. */
import { ask, TestMesh } from './test-mesh.ts';

const mesh = await TestMesh.open();
const worker = await mesh.worker();
const { client } = await mesh.client([worker]);
const { text } = await ask(client);
await mesh.close();
process.stdout.write(text);
