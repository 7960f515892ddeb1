import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import yaml from 'js-yaml';
import { z } from 'zod';

/** What `build/server/` holds, for tests. */
export const SERVER_FOLDER = resolve(import.meta.dirname, '../../build/server');
export const serverFile = (name: string): string => readFileSync(resolve(SERVER_FOLDER, name), 'utf8');
export const serverYaml = (name: string): unknown => yaml.load(serverFile(name), { schema: yaml.CORE_SCHEMA });

const ruleSchema = z.object({
  alert: z.string(),
  expr: z.string(),
  annotations: z.object({ summary: z.string(), description: z.string() }),
});
const rulesSchema = z.object({
  groups: z.array(z.object({ rules: z.array(ruleSchema) })),
});
const boardSchema = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).optional() })),
});

/** What Prometheus and Grafana ask of a node, by who asks. */
export function queries(): { of: string; expr: string }[] {
  const { groups } = rulesSchema.parse(serverYaml('prometheus-rules.yaml'));
  const { panels } = boardSchema.parse(JSON.parse(serverFile('grafana-dashboard.json')));
  return [
    ...groups.flatMap(({ rules }) => rules.map(({ alert, expr }) => ({ of: alert, expr }))),
    ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ of: title, expr }))),
  ];
}

/** What alerts tell people. */
export const rulesTexts = (): string[] =>
  rulesSchema
    .parse(serverYaml('prometheus-rules.yaml'))
    .groups.flatMap(({ rules }) => rules.map(({ annotations }) => annotations.description));

/** Labels that a query asks for, of whatever metric: in braces, and those that it puts together by. Prometheus’ own are left out. */
export function labelsIn(expr: string): string[] {
  const matched = [...expr.matchAll(/\{([^}]*)\}/g)].flatMap(([, of = '']) => [
    ...of.matchAll(/(\w+) *(?:=~|!~|!=|=)/g),
  ]);
  const grouped = [...expr.matchAll(/\bby *\(([^)]*)\)/g)].flatMap(([, of = '']) => [...of.matchAll(/(\w+)/g)]);
  const names = [...matched, ...grouped].map(([, name = '']) => name);
  return [...new Set(names)].filter((name) => !['instance', 'job', 'le'].includes(name));
}

const WORDS = ['and', 'or', 'unless', 'by', 'without', 'on', 'ignoring', 'bool', 'offset'];

/** Names of the metrics that a query reads: words that are no function, label, text or word of the language. */
export function metricsIn(expr: string): string[] {
  const bare = expr
    .replace(/"[^"]*"/g, '')
    .replace(/\{[^}]*\}/g, '')
    .replace(/\[[^\]]*\]/g, '')
    .replace(/\b(by|without|on|ignoring) *\([^)]*\)/g, '');
  return [...bare.matchAll(/\b([a-z_][\w:]*)\b(?! *\()/g)]
    .map(([, name = '']) => name)
    .filter((name) => !WORDS.includes(name));
}
