/** Licences of the catalogue, as people write them. */
const NAMES: Record<string, string> = {
  'apache-2.0': 'Apache 2.0',
  gemma: 'Gemma',
  'llama3.2': 'Llama 3.2',
  mit: 'MIT',
};

/** «apache-2.0» as «Apache 2.0»; others as they were given. */
export function licenceName(licence: string): string {
  return (Object.hasOwn(NAMES, licence) && NAMES[licence]) || licence;
}
