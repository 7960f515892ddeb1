/** Parts of a transformer's layer that an adapter may change, as PEFT names them. */
export const ADAPTER_MODULES = ['q_proj', 'k_proj', 'v_proj', 'o_proj', 'gate_proj', 'up_proj', 'down_proj'] as const;
export type AdapterModule = (typeof ADAPTER_MODULES)[number];

/** What an adapter adds to one matrix of the model: `alpha / rank × b · a`. Rows stand in PEFT's order, not in llama.cpp's. */
export interface LoraMatrices {
  /** rank × in, row by row. */
  a: Float32Array;
  /** out × rank, row by row. */
  b: Float32Array;
  in: number;
  out: number;
}

/** An adapter in memory, whatever file it comes from. */
export interface LoraAdapter {
  base: { architecture: string; layers: number };
  /** Inner size of all its matrices. */
  rank: number;
  /** Single precision, as llama.cpp keeps it. */
  alpha: number;
  /** Those that it changes anywhere, in the order of {@link ADAPTER_MODULES}. */
  modules: AdapterModule[];
  /** By {@link matrixName}, in the order of layers and modules; a layer may have less than all modules. */
  matrices: Map<string, LoraMatrices>;
}

/** Key of {@link LoraAdapter.matrices}: `<layer>.<module>`. */
export function matrixName(layer: number, module: AdapterModule): string {
  return `${layer}.${module}`;
}

/** The two parts of a {@link matrixName}. */
export function matrixPlace(name: string): { layer: number; module: AdapterModule } {
  const [layer = '', module = ''] = name.split('.');
  return { layer: Number(layer), module: module as AdapterModule };
}

/** Matrices sorted by layer and module, so that the same adapter always gives the same file. */
export function inOrder<Each>(matrices: Iterable<[string, Each]>): Map<string, Each> {
  const rank = (name: string) => {
    const { layer, module } = matrixPlace(name);
    return layer * ADAPTER_MODULES.length + ADAPTER_MODULES.indexOf(module);
  };
  return new Map([...matrices].sort(([one], [other]) => rank(one) - rank(other)));
}

/** The modules that occur among matrices, in the order of {@link ADAPTER_MODULES}. */
export function modulesOf(names: Iterable<string>): AdapterModule[] {
  const found = new Set([...names].map((name) => matrixPlace(name).module));
  return ADAPTER_MODULES.filter((module) => found.has(module));
}

/** The layers that an adapter changes, ascending. */
export function layersOf(names: Iterable<string>): number[] {
  return [...new Set([...names].map((name) => matrixPlace(name).layer))].sort((one, other) => one - other);
}
