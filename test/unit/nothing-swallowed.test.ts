import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

/** A failure that nobody hears of must say why: `ifMissing`, `ignoring(reason)` (base/swallowed.ts), or a comment. */
const NOTHING = String.raw`undefined|null|true|false|void 0|0|''|""|\[\]|\(\{\s*\}\)|\{\s*\}|\{\s*return[^;}]{0,9};?\s*\}`;
const SECOND = String.raw`then\([^(),]*(?:\([^()]*\)[^(),]*)*,`;
const HANDLER = String.raw`(?:async\s*)?(?:\(\w*\)|\w+)\s*=>\s*(?:${NOTHING})`;
const REFUSED = [
  new RegExp(String.raw`\.(?:catch\(|${SECOND})\s*${HANDLER}\s*,?\s*\)`, 'g'),
  new RegExp(String.raw`\.(?:on|once|\w+Listener)\(\s*['"]error['"]\s*,\s*${HANDLER}\s*[,)]`, 'g'),
  new RegExp(String.raw`\bonerror\s*[=:]\s*${HANDLER}`, 'gi'),
  /\.catch\(\s*(?:async\s*)?function\s*\w*\s*\(\w*\)\s*\{\s*\}\s*\)/g,
  /\.catch\(\s*(?:noop|nothing)\s*\)/g,
  /(?<!\.)\bcatch\s*(?:\([^)]*\)\s*)?\{\s*\}/g,
  /(?<!\.)\bcatch\s*\{\s*return\b(?:(?!\/[/*])[^;])*;\s*\}/g,
  /(?<!\.)\bcatch\s*\(\s*(\w+)\b[^)]*\)\s*\{\s*return\b(?:(?!\/[/*]|\b\1\b)[^;])*;\s*\}/g,
];

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const FOLDERS = ['src-main', 'src-preload', 'src-renderer', 'scripts', 'bin', 'build', 'test'];
const sources = FOLDERS.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:tsx?|js|mjs)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name)),
).filter((file) => file !== import.meta.filename); // the examples below

function swallowed(source: string): string[] {
  return REFUSED.flatMap((pattern) => [...source.matchAll(pattern)].map(([found]) => found.replace(/\s+/g, ' ')));
}

describe('nothing is swallowed', () => {
  it('in sources, scripts and tests', () => {
    const found = sources.flatMap((file) =>
      swallowed(readFileSync(file, 'utf8')).map((text) => `${relative(root, file)}: ${text}`),
    );
    expect(found).toEqual([]);
  });

  it.each([
    'work.catch(() => undefined)',
    'work.catch(() => {})',
    'work.catch((error) => {\n  })',
    'work.catch(async () => null)',
    'work.catch(() => [])',
    'work.catch(() => ({}))',
    "work.catch(() => '')",
    'work.catch(() => false);',
    'work.catch(() => { return; })',
    'work.catch(function () {})',
    'work.then(done, () => undefined)',
    'work.then((it) => use(it), () => {})',
    'work.catch(noop)',
    'try { work(); } catch {}',
    'try { work(); } catch (error) {\n}',
    'try { work(); } catch {\n  return;\n}',
    'try { work(); } catch {\n  return undefined;\n}',
    'try { work(); } catch { return { ok: false }; }',
    'try { work(); } catch {\n  return await other(\n    one,\n  );\n}',
    'try { work(); } catch (error) { return; }',
    'try { work(); } catch (error: unknown) {\n  return { ok: false };\n}',
    "stream.on('error', () => undefined);",
    "stream.on('error', () => {}); // it may leave",
    "stream.once('error', (error) => {\n});",
    "stream.addListener('error', noop => null)",
    "socket.addEventListener('error', () => {}, { once: true })",
    'socket.onerror = () => {};',
    'render(page, { onError: () => undefined })',
  ])('and this would be found: %s', (source) => {
    expect(swallowed(source)).toHaveLength(1);
  });

  it.each([
    "work.catch(ignoring('nobody needs it'))",
    'work.catch(ifMissing)',
    'work.catch((error) => log.warn({ err: error }))',
    'work.catch(() => lookAgain())',
    'try { work(); } catch {\n  // it is gone already\n}',
    'try { work(); } catch {\n  return undefined; // it is gone already\n}',
    'try { work(); } catch {\n  // it is gone already\n  return undefined;\n}',
    'try { work(); } catch (error) {\n  return explained(error);\n}',
    'try { work(); } catch (error) {\n  return; // it is gone already\n}',
    "stream.on('error', ignoring('it may leave at any time'))",
    "stream.on('error', (error) => log.warn({ err: error }))",
    "stream.on('end', () => undefined)",
    'socket.onerror = () => resolve(false);',
    'try { work(); } catch {\n  lookAgain();\n  return undefined;\n}',
    'schema.nullish().catch(null)',
    'work.then(done)',
    'list.then((all) => all.filter(() => true))',
  ])('and this is allowed: %s', (source) => {
    expect(swallowed(source)).toEqual([]);
  });
});
