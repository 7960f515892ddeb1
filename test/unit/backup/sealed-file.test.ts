import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import {
  encodeHeader,
  type FileHeader,
  MAGIC,
  PIECE_BYTES,
  readHeader,
  showBackup,
} from '../../../src-main/backup/backup-header.ts';
import { deriveKeys, type Keys, seal, unseal } from '../../../src-main/backup/sealed-file.ts';
import { cpuMs } from '../../support/cpu-time.ts';

const folder = mkdtempSync(join(tmpdir(), 'quarry-sealed-'));
afterAll(() => rmSync(folder, { recursive: true }));

const CHEAP = { passes: 1, memoryMiB: 8 };
const ABOUT = { node: 'ab'.repeat(32), createdAt: 1_790_000_000_000, version: '0.1.0' };
const PASSWORD = 'correct horse';
let files = 0;

function sealed(plain: Buffer, pieces = [plain]): string {
  const path = join(folder, `${files++}.quarry-backup`);
  const file = openSync(path, 'wx');
  seal(file, PASSWORD, { ...ABOUT, bytes: plain.length }, pieces, CHEAP);
  closeSync(file);
  return path;
}

const derived = new Map<string, Keys>();
/** Each key is derived once: with hundreds of files that would take long. */
function deriveOnce(password: string, header: Pick<FileHeader, 'kdf'>): Keys {
  const name = `${password} ${JSON.stringify(header.kdf)}`;
  const { stream, mac } = derived.get(name) ?? deriveKeys(password, header);
  derived.set(name, { stream: Buffer.from(stream), mac: Buffer.from(mac) });
  return { stream, mac };
}

function opened(path: string, password = PASSWORD): Buffer {
  const file = openSync(path, 'r');
  try {
    return Buffer.concat([...unseal(file, password, deriveOnce)]);
  } finally {
    closeSync(file);
  }
}

function changed(bytes: Buffer): string {
  const path = join(folder, `${files++}.changed`);
  writeFileSync(path, bytes);
  return path;
}

const bytesOf = (length: number) => Buffer.from(Uint8Array.from({ length }, (_, at) => (at * 7) % 251));

it.each([1, 100, PIECE_BYTES - 1, PIECE_BYTES, PIECE_BYTES + 1, 3 * PIECE_BYTES])('keeps %i bytes', (length) => {
  const plain = bytesOf(length);
  expect(opened(sealed(plain)).equals(plain)).toBe(true);
});

it('keeps what comes in pieces of any length', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 90_000 }), { minLength: 1, maxLength: 5 }), (lengths) => {
      const plain = bytesOf(1 + lengths.reduce((sum, length) => sum + length, 0));
      const starts = lengths.map((_, index) => lengths.slice(0, index).reduce((sum, length) => sum + length, 1));
      const pieces = lengths.map((length, index) => plain.subarray(starts[index], (starts[index] ?? 0) + length));
      expect(opened(sealed(plain, [plain.subarray(0, 1), ...pieces])).equals(plain)).toBe(true);
    }),
    { numRuns: 10 },
  );
});

it('says without a password whose it is and from when, and nothing else', () => {
  const path = sealed(Buffer.from('nobody reads this'));
  expect(showBackup(path)).toEqual({ ...ABOUT, bytes: readFileSync(path).length });
  expect(readFileSync(path).includes('nobody')).toBe(false);
});

it.each([
  ['a line of its own', '1\nverified'],
  ['colours', '\u001b[32m1'],
  ['nothing', ''],
])('takes no version with %s', (_, version) => {
  const path = join(folder, `${files++}.quarry-backup`);
  const file = openSync(path, 'wx');
  seal(file, PASSWORD, { ...ABOUT, version, bytes: 1 }, [Buffer.from('x')], CHEAP);
  closeSync(file);
  expect(() => showBackup(path)).toThrow(/not a Quarry backup/);
});

it.skipIf(process.platform === 'win32')('refuses a pipe at once, and a folder', () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  // In a process of its own: where it waits for a writer, nothing else of this one would go on.
  const script = `import { showBackup } from ${JSON.stringify(join(import.meta.dirname, '../../../src-main/backup/backup-header.ts'))};
    try { showBackup(process.argv[1]) } catch (error) { process.stdout.write(error.message) }`;
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', script, pipe], { timeout: 60_000 });
  expect(said.toString()).toMatch(/not a Quarry backup/);
  expect(() => showBackup(folder)).toThrow(/not a Quarry backup/);
});

it('opens with the right password alone, however it was composed', () => {
  const path = sealed(bytesOf(10));
  expect(() => opened(path, 'correct horsf')).toThrow(
    expect.objectContaining({ code: 'BAD_REQUEST', field: 'password' }),
  );
  const file = openSync(join(folder, 'umlaut'), 'wx');
  seal(file, 'Schl\u00fcssel', { ...ABOUT, bytes: 1 }, [Buffer.from('x')], CHEAP);
  closeSync(file);
  expect(opened(join(folder, 'umlaut'), 'Schlu\u0308ssel').toString()).toBe('x');
});

it('notices a flipped bit at any place', () => {
  const bytes = readFileSync(sealed(bytesOf(200)));
  for (let at = 0; at < bytes.length; at++) {
    const other = Buffer.from(bytes);
    other[at] = (other[at] ?? 0) ^ 1;
    // A header that asks for more memory and time is one of those: within the bounds it is tried, and is wrong.
    expect(() => opened(changed(other)), `byte ${at}`).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }));
  }
});

it('notices when it is cut off anywhere, or goes on, before it asks for the password', () => {
  const bytes = readFileSync(sealed(bytesOf(PIECE_BYTES + 200)));
  for (const length of [0, 5, MAGIC.length + 4, 40, bytes.length - PIECE_BYTES, bytes.length - 217, bytes.length - 1]) {
    const path = changed(bytes.subarray(0, length));
    expect(() => showBackup(path), `${length} bytes`).toThrow(
      expect.objectContaining({ said: { message: { key: 'backup.truncated' } } }),
    );
  }
  expect(() => showBackup(changed(Buffer.concat([bytes, Buffer.from('x')])))).toThrow(/damaged/);
});

it('notices pieces that were exchanged, and a piece that passes for the end', () => {
  const bytes = readFileSync(sealed(bytesOf(3 * PIECE_BYTES)));
  const piece = PIECE_BYTES + 17;
  const start = bytes.length - 3 * piece;
  const at = (index: number) => bytes.subarray(start + index * piece, start + (index + 1) * piece);
  const swapped = Buffer.concat([bytes.subarray(0, start), at(1), at(0), at(2)]);
  expect(() => opened(changed(swapped))).toThrow(/damaged/);
  expect(() => opened(changed(Buffer.concat([bytes.subarray(0, start), at(0), at(2), at(2)])))).toThrow(/damaged/);
});

it('takes no header that asks for more than it may, before any of it is spent', async () => {
  const good: FileHeader = {
    ...ABOUT,
    bytes: 10,
    kdf: { name: 'argon2id13', ...CHEAP, salt: '00'.repeat(16) },
    stream: '00'.repeat(24),
  };
  const bad: unknown[] = [
    { ...good, kdf: { ...good.kdf, memoryMiB: 1_025 } },
    { ...good, kdf: { ...good.kdf, memoryMiB: 1e12 } },
    { ...good, kdf: { ...good.kdf, passes: 9 } },
    { ...good, kdf: { ...good.kdf, passes: 0.5 } },
    { ...good, kdf: { ...good.kdf, name: 'scrypt' } },
    { ...good, kdf: { ...good.kdf, salt: '' } },
    { ...good, bytes: 2 ** 50 },
    { ...good, bytes: 0 },
    { ...good, node: '../../etc' },
    { ...good, version: 'x'.repeat(100) },
    { ...good, more: 1 },
    [],
    'x',
  ];
  const took = await cpuMs(() => {
    for (const header of bad) {
      const path = changed(Buffer.concat([encodeHeader(header as FileHeader), Buffer.alloc(10_000)]));
      expect(() => opened(path), JSON.stringify(header)).toThrow(/not a Quarry backup/);
    }
  });
  expect(took).toBeLessThan(5_000);
  const long = Buffer.alloc(MAGIC.length + 4);
  MAGIC.copy(long);
  long.writeUInt32LE(4_000_000_000, MAGIC.length);
  const file = openSync(changed(long), 'r');
  expect(() => readHeader(file)).toThrow(/not a Quarry backup/);
  closeSync(file);
  const later = Buffer.concat([Buffer.from('quarry-backup/2\n'), Buffer.alloc(100)]);
  expect(() => showBackup(changed(later))).toThrow(/later version/);
});
