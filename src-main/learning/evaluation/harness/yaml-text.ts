import { createRequire } from 'node:module';

/** A value as YAML. */
export function yamlText(value: unknown): string {
  const yaml: typeof import('js-yaml').default = createRequire(import.meta.url)('js-yaml');
  return yaml.dump(value, { schema: yaml.CORE_SCHEMA, noRefs: true, lineWidth: 120 });
}
