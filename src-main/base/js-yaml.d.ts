/** The part of js-yaml that is used; it ships without types. */
declare module 'js-yaml' {
  const yaml: {
    /** Strings, numbers, booleans, null, lists and mappings; no dates. */
    CORE_SCHEMA: unknown;
    load(text: string, options: { schema: unknown }): unknown;
    dump(value: unknown, options: { schema: unknown; noRefs: boolean; lineWidth: number }): string;
  };
  export default yaml;
}
