import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { loadConfig } from '../../src-main/settings/config.ts';
import { SETTINGS } from '../../src-main/settings/config-settings.ts';
import { labelsIn, metricsIn, SERVER_FOLDER, serverFile, serverYaml } from '../support/server-files.ts';

/** What docs/server.md tells server people to install, as far as that can be known without installing it. */
const page = readFileSync(resolve(import.meta.dirname, '../../docs/server.md'), 'utf8');
const manifest = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../package.json'), 'utf8'));
const files = readdirSync(SERVER_FOLDER);

/** With ids where the page names whose they are. */
const filledIn = (toml: string) =>
  toml.replace(/ID-OF-THE-\w+/g, (whose) => createHash('sha256').update(whose).digest('hex'));

describe('docs/server.md', () => {
  it('speaks of every file of build/server', () => {
    const beside = ['Dockerfile.dockerignore']; // the image’s own business
    expect(files.filter((file) => !page.includes(`/${file}`) && !beside.includes(file))).toEqual([]);
  });

  const settings = [...page.matchAll(/```toml\n([\s\S]*?)```/g)].map(([, toml = '']) => filledIn(toml));
  it('shows settings that there are', () => {
    expect(settings).toHaveLength(4);
    // The token that stands in a file there.
    const env = { QUARRY_API_TOKEN: 'a token of some length' };
    for (const toml of settings)
      loadConfig({
        env,
        readFile: (path) => (path.endsWith('x.toml') ? toml : undefined),
        flags: { configFile: 'x.toml' },
      });
  });

  const variables = [
    ...SETTINGS.flatMap(({ variable, secret }) => (secret ? [variable, `${variable}_FILE`] : [variable])),
    ...['QUARRY_CONFIG', 'QUARRY_BACKUP_PASSWORD', 'QUARRY_BACKUP_PASSWORD_FILE'],
  ];
  it.each(['docs/server.md', ...files])('%s names variables that there are', (file) => {
    const text = file === 'docs/server.md' ? page : serverFile(file);
    const named = [...text.matchAll(/\bQUARRY_[A-Z_]+\b/g)].map(([name]) => name);
    expect(named.filter((name) => !variables.includes(name))).toEqual([]);
  });

  it('names settings that there are', () => {
    const named = [...page.matchAll(/`([a-z]+\.[a-zA-Z]+)`/g)].map(([, name = '']) => name);
    const paths = SETTINGS.map(({ path }) => path);
    const others = [...files, 'results.db', 'quarry.log', 'quarry.toml', 'journald.conf', 'local.token'];
    expect(named.filter((name) => !paths.includes(name) && !others.includes(name))).toEqual([]);
  });
});

describe('the image', () => {
  it('has the Node that the tests run on', () => {
    const used = [...serverFile('Dockerfile').matchAll(/^FROM node:(\S+)/gm)].map(([, tag]) => tag);
    expect(used).toEqual(Array(2).fill(`${manifest.devDependencies.node}-bookworm-slim`));
  });

  it('runs as nobody in particular, and says how it is', () => {
    const text = serverFile('Dockerfile');
    expect(text).toMatch(/^USER \d+:\d+$/m);
    expect(text).toMatch(/^HEALTHCHECK [\s\S]*\/healthz/m);
  });

  it('gets the files that it copies', () => {
    const let_in = serverFile('Dockerfile.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    for (const needed of [
      'package.json',
      'package-lock.json',
      'bin',
      'src-main',
      'src-preload',
      'src-renderer',
      'resources',
    ])
      expect(let_in).toContain(needed);
    expect(serverFile('Dockerfile.dockerignore')).toMatch(/^\*$/m);
  });
});

const serviceSchema = z.object({
  user: z.string().regex(/^\d+:\d+$/),
  read_only: z.literal(true),
  cap_drop: z.tuple([z.literal('ALL')]),
  security_opt: z.tuple([z.literal('no-new-privileges:true')]),
  stop_grace_period: z.string(),
  secrets: z.array(z.string()).min(1),
  ports: z.array(z.string().startsWith('127.0.0.1:')).optional(),
  environment: z.record(z.string(), z.string()),
});
const composeSchema = z.object({
  services: z.record(z.string(), serviceSchema),
  secrets: z.record(z.string(), z.object({ file: z.string() })),
});

describe('compose.yaml', () => {
  const compose = composeSchema.parse(serverYaml('compose.yaml'));

  it('shuts every service in, and hands secrets over as files', () => {
    expect(Object.keys(compose.services)).toEqual(['quarry', 'postgres']);
    const known = Object.keys(compose.secrets);
    for (const { secrets, environment } of Object.values(compose.services)) {
      expect(known).toEqual(expect.arrayContaining(secrets));
      for (const [name, value] of Object.entries(environment)) {
        if (/TOKEN|PASSWORD|DATABASE_FILE/.test(name))
          expect([name, value]).toEqual([expect.stringMatching(/_FILE$/), expect.stringMatching(/^\/run\/secrets\//)]);
      }
    }
  });

  it('gives the node more time than it takes to let things end', () => {
    const { quarry } = compose.services;
    const grace = Number.parseInt(quarry?.stop_grace_period ?? '', 10);
    expect(grace).toBeGreaterThanOrEqual(Number(quarry?.environment.QUARRY_DRAIN_SECONDS) + 30);
  });
});

describe('the units of systemd', () => {
  const units = files.filter((file) => /\.(service|timer)$/.test(file));

  it('give the node more time than it takes to let things end', () => {
    const { drainSeconds } = loadConfig({ env: {}, readFile: () => undefined });
    const [, seconds] = /^TimeoutStopSec=(\d+)s$/m.exec(serverFile('quarry.service')) ?? [];
    expect(Number(seconds)).toBeGreaterThanOrEqual(drainSeconds + 30);
    expect(Number(seconds)).toBeGreaterThanOrEqual(Number(/drainSeconds = (\d+)/.exec(page)?.[1]) + 30);
    expect(serverFile('quarry.service')).toMatch(/^KillMode=mixed$/m); // or the engine would be gone before its answers
  });

  const analyze = isThere('systemd-analyze', 'so the units are not verified');
  it.skipIf(!analyze).each(units)('%s holds nothing that systemd does not know', (unit) => {
    // What systemd does not know it leaves out, with a warning and without a failure.
    expect(execFileSync('systemd-analyze', ['verify', resolve(SERVER_FOLDER, unit)], { encoding: 'utf8' })).toBe('');
  });
});

describe('the files for Prometheus', () => {
  const scrape = z
    .object({
      rule_files: z.tuple([z.string()]),
      scrape_configs: z.tuple([z.object({ authorization: z.object({ credentials_file: z.string() }) })]),
    })
    .parse(serverYaml('prometheus.yaml'));

  it('lie where the page puts them, with the token for figures alone', () => {
    const [rules] = scrape.rule_files;
    const { credentials_file: token } = scrape.scrape_configs[0].authorization;
    expect(page).toMatch(new RegExp(`^install -m 644 build/server/prometheus-rules.yaml ${rules}$`, 'm'));
    expect(page).toMatch(new RegExp(`^install -m 400 -o prometheus /etc/quarry/secrets/metrics-token ${token}$`, 'm'));
  });

  it.skipIf(!isThere('promtool', 'so the rules are not checked'))('are good by promtool', () => {
    const [rules, config] = [
      resolve(SERVER_FOLDER, 'prometheus-rules.yaml'),
      resolve(SERVER_FOLDER, 'prometheus.yaml'),
    ];
    expect(execFileSync('promtool', ['check', 'rules', rules], { encoding: 'utf8' })).toMatch(
      /SUCCESS: \d+ rules found/,
    );
    execFileSync('promtool', ['check', 'config', '--syntax-only', config], { encoding: 'utf8' });
  });
});

function isThere(program: string, consequence: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    process.stderr.write(`\n!!! skipped: ${program} was not found, ${consequence}.\n\n`);
    return false;
  }
}

it.each([
  ['sum by (status) (rate(a_total{x=~"5..",instance=~"$instance"}[10m]))', ['x', 'status']],
  ['histogram_quantile(0.5, sum by (le, model) (rate(c_bucket{job="quarry"}[5m])))', ['model']],
  ['up{job="quarry"} == 0', []],
])('the labels of a query are found: %s', (expr, names) => {
  expect(labelsIn(expr)).toEqual(names);
});

it.each([
  ['up{job="quarry"} == 0', ['up']],
  [
    'sum by (instance) (rate(a_total{x=~"5.."}[10m])) / sum by (instance) (rate(b_total[10m])) > 0.1',
    ['a_total', 'b_total'],
  ],
  ['a == 1 and time() - b_seconds > 900', ['a', 'b_seconds']],
  ['histogram_quantile(0.5, sum by (le) (rate(c_bucket{instance=~"$instance"}[$__rate_interval])))', ['c_bucket']],
])('the metrics of a query are found: %s', (expr, names) => {
  expect(metricsIn(expr)).toEqual(names);
});
