import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import jpeg from 'jpeg-js';
import { LocalServer } from './local-server.ts';

/** What came to the server, as a model reads it. */
export interface JudgeAsked {
  name: string;
  seal: string;
  /** All that stands outside of blocks of data. */
  outside: string;
  /** What stands in them, by their names. */
  blocks: Record<string, unknown>;
  pictures: Buffer[];
  authorization: string | undefined;
}

type Body = {
  messages: { role: string; content: string | { type: string; text?: string; image_url?: { url: string } }[] }[];
  response_format: { json_schema: { name: string } };
};

/** What a model answers, without the seal; a status with a body; or a text as it is. */
export type JudgeAnswer = object | string | { status: number; body: string };

/** A server that speaks the OpenAI API, whose model is a script: what it reads as an order is what stands outside of blocks of data, and nothing else. */
export class JudgeServer extends LocalServer {
  readonly asked: JudgeAsked[] = [];
  readonly #answer: (asked: JudgeAsked) => JudgeAnswer | undefined;

  /** @param answer undefined: it never answers */
  constructor(answer: (asked: JudgeAsked) => JudgeAnswer | undefined) {
    super((request, response) => void this.#take(request, response));
    this.#answer = answer;
  }

  get url(): string {
    return `${this.origin}/v1`;
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const read = readQuestion(JSON.parse(await text(request)) as Body);
    const asked = { ...read, authorization: request.headers.authorization };
    this.asked.push(asked);
    const answer = this.#answer(asked);
    if (answer === undefined) return;
    if (typeof answer === 'object' && 'status' in answer && 'body' in answer) {
      return void response.writeHead(Number(answer.status)).end(answer.body);
    }
    const content =
      typeof answer === 'string' ? answer : JSON.stringify({ seal: asked.seal, orders: false, ...answer });
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }] }),
    );
  }
}

function readQuestion({ messages, response_format }: Body): Omit<JudgeAsked, 'authorization'> {
  const parts = messages.flatMap(({ content }) =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : content,
  );
  const whole = parts.flatMap((part) => ('text' in part && part.text ? [part.text] : [])).join('\n');
  const [, token = 'none'] = /<<<([0-9a-f]{32})/.exec(whole) ?? [];
  const blocks: Record<string, unknown> = {};
  const outside = whole.replace(
    new RegExp(`^<<<${token} (\\w+)\n([\\s\\S]*?)\n>>>${token}$`, 'gm'),
    (_, name, inside) => {
      blocks[name] = JSON.parse(inside);
      return '';
    },
  );
  const pictures = parts.flatMap((part) =>
    'image_url' in part && part.image_url ? [Buffer.from(part.image_url.url.split(',')[1] ?? '', 'base64')] : [],
  );
  const [, seal = ''] = /Set "seal" to (\w+)/.exec(whole) ?? [];
  return { name: response_format.json_schema.name, seal, outside, blocks, pictures };
}

/** What a model that looks properly says of some work that is half done. */
export function honest({ name }: Pick<JudgeAsked, 'name'>): object {
  if (name === 'annotation') {
    const steps = ['Opens budget.csv', 'Types a rule for the second date', 'Runs the import'];
    return { applications: ['Editor', 'Terminal'], steps, description: 'A program is mended and run.' };
  }
  if (name === 'legitimacy') return { legitimate: true, rationale: 'It is written and run.' };
  return { score: 0.57, rationale: 'The import works for one of two files.', missing: 'The second file is not tried.' };
}

/** A real picture. */
export function pictureOf(width = 320, height = 180, shade = 90): Uint8Array {
  const data = Buffer.alloc(width * height * 4, shade);
  return jpeg.encode({ data, width, height }, 60).data;
}
