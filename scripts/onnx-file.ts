/** Numbers of a tensor: their type in ONNX, and their bytes. */
export interface OnnxTensor {
  dims: readonly number[];
  type: 'float' | 'float16' | 'int64';
  bytes: Uint8Array;
}

type Attribute = number | readonly number[];
const TYPES = { float: 1, int64: 7, float16: 10 };

/** Writes an ONNX model node by node: what protobuf makes of onnx.proto, as far as it is used here. */
export class OnnxFile {
  readonly #nodes: Buffer[] = [];
  readonly #tensors: Buffer[] = [];
  readonly #inputs: Buffer[] = [];
  readonly #outputs: Buffer[] = [];
  #last = 0;

  /** @param dims a name for one that varies @returns its name */
  input(name: string, type: OnnxTensor['type'], dims: readonly (number | string)[]): string {
    this.#inputs.push(valueInfo(name, type, dims));
    return name;
  }

  tensor({ dims, type, bytes }: OnnxTensor): string {
    const name = `w${this.#last++}`;
    const fields = [...dims.map((dim) => varint(1, dim)), varint(2, TYPES[type]), text(8, name), field(9, bytes)];
    this.#tensors.push(Buffer.concat(fields));
    return name;
  }

  floats(values: readonly number[], dims: readonly number[] = []): string {
    return this.tensor({ dims, type: 'float', bytes: new Uint8Array(Float32Array.from(values).buffer) });
  }

  /** A list of whole numbers. */
  ints(...values: number[]): string {
    const bytes = new Uint8Array(BigInt64Array.from(values, BigInt).buffer);
    return this.tensor({ dims: [values.length], type: 'int64', bytes });
  }

  /** One whole number. */
  int(value: number): string {
    return this.tensor({ dims: [], type: 'int64', bytes: new Uint8Array(BigInt64Array.of(BigInt(value)).buffer) });
  }

  /** @returns the name of what comes out */
  add(op: string, inputs: readonly string[], attributes: Readonly<Record<string, Attribute>> = {}): string {
    return this.split(op, inputs, 1, attributes)[0] as string;
  }

  /** The same for nodes of which several things come out. */
  split(
    op: string,
    inputs: readonly string[],
    count: number,
    attributes: Readonly<Record<string, Attribute>> = {},
  ): string[] {
    const outputs = Array.from({ length: count }, () => `n${this.#last++}`);
    this.#node(op, inputs, outputs, attributes);
    return outputs;
  }

  output(name: string, from: string, dims: readonly (number | string)[]): void {
    this.#node('Identity', [from], [name], {});
    this.#outputs.push(valueInfo(name, 'float', dims));
  }

  /** @param metadata that whoever loads it looks for */
  bytes(metadata: Readonly<Record<string, string | number>>): Buffer {
    const graph = [
      ...this.#nodes.map((node) => field(1, node)),
      text(2, 'graph'),
      ...this.#tensors.map((tensor) => field(5, tensor)),
      ...this.#inputs.map((input) => field(11, input)),
      ...this.#outputs.map((output) => field(12, output)),
    ];
    const opset = Buffer.concat([text(1, ''), varint(2, 17)]);
    const notes = Object.entries(metadata).map(([key, value]) =>
      field(14, Buffer.concat([text(1, key), text(2, String(value))])),
    );
    return Buffer.concat([varint(1, 8), field(7, Buffer.concat(graph)), field(8, opset), ...notes]);
  }

  #node(
    op: string,
    inputs: readonly string[],
    outputs: readonly string[],
    attributes: Readonly<Record<string, Attribute>>,
  ): void {
    const given = Object.entries(attributes).map(([name, value]) => field(5, attribute(name, value)));
    const names = [...inputs.map((name) => text(1, name)), ...outputs.map((name) => text(2, name))];
    this.#nodes.push(Buffer.concat([...names, text(4, op), ...given]));
  }
}

/** Whole numbers, and lists of them; no other attribute is used. */
function attribute(name: string, value: Attribute): Buffer {
  const values =
    typeof value === 'number'
      ? [varint(3, value), varint(20, 2)]
      : [...value.map((one) => varint(8, one)), varint(20, 7)];
  return Buffer.concat([text(1, name), ...values]);
}

function valueInfo(name: string, type: OnnxTensor['type'], dims: readonly (number | string)[]): Buffer {
  const shape = dims.map((dim) => field(1, typeof dim === 'number' ? varint(1, dim) : text(2, dim)));
  const tensor = Buffer.concat([varint(1, TYPES[type]), field(2, Buffer.concat(shape))]);
  return Buffer.concat([text(1, name), field(2, field(1, tensor))]);
}

function varint(number: number, value: number): Buffer {
  return Buffer.concat([key(number, 0), whole(BigInt.asUintN(64, BigInt(value)))]);
}

const text = (number: number, value: string): Buffer => field(number, Buffer.from(value));

function field(number: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([key(number, 2), whole(BigInt(bytes.length)), bytes]);
}

const key = (number: number, wire: number): Buffer => whole(BigInt(number * 8 + wire));

function whole(value: bigint): Buffer {
  const bytes: number[] = [];
  let left = value;
  for (; left > 127n; left >>= 7n) bytes.push(Number(left & 127n) | 128);
  bytes.push(Number(left));
  return Buffer.from(bytes);
}
