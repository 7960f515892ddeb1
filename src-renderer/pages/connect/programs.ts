/** What a program needs to reach this node. */
export interface Access {
  /** `http://127.0.0.1:7070/v1` */
  baseUrl: string;
  /** The API's token, or what stands for it; undefined where none is needed. */
  token: string | undefined;
  model: string;
}

/** A program that speaks the OpenAI API, and how it is told of this node. */
export interface Program {
  name: string;
  /** Whether what there is to copy is run or saved as a file, or is entered into the program's settings. */
  kind: 'terminal' | 'code' | 'file' | 'fields';
  /** Where it belongs, where that is a file: a path below the home folder. */
  file?: string;
  snippet: (access: Access) => string;
}

/** Programs insist on a key; a node without a token takes any. */
const ANY_KEY = 'none';

/** In the order of the list. */
export const PROGRAMS: readonly Program[] = [
  {
    name: 'curl',
    kind: 'terminal',
    snippet: ({ baseUrl, token, model }) =>
      [
        `curl ${baseUrl}/chat/completions \\`,
        ...(token ? [`  -H "Authorization: Bearer ${token}" \\`] : []),
        `  -H "Content-Type: application/json" \\`,
        `  -d '${JSON.stringify({ model, messages: [{ role: 'user', content: 'What is a mesh?' }] })}'`,
      ].join('\n'),
  },
  {
    name: 'Python',
    kind: 'code',
    snippet: ({ baseUrl, token = ANY_KEY, model }) => `# pip install openai
from openai import OpenAI

client = OpenAI(base_url="${baseUrl}", api_key="${token}")
answer = client.chat.completions.create(
    model="${model}",
    messages=[{"role": "user", "content": "What is a mesh?"}],
)
print(answer.choices[0].message.content)`,
  },
  {
    name: 'JavaScript',
    kind: 'code',
    snippet: ({ baseUrl, token = ANY_KEY, model }) => `// npm install openai
import OpenAI from 'openai';

const client = new OpenAI({ baseURL: '${baseUrl}', apiKey: '${token}' });
const answer = await client.chat.completions.create({
  model: '${model}',
  messages: [{ role: 'user', content: 'What is a mesh?' }],
});
console.log(answer.choices[0].message.content);`,
  },
  {
    name: 'Open WebUI',
    kind: 'terminal',
    snippet: ({ baseUrl, token = ANY_KEY }) => `docker run -d --network host \\
  -e OPENAI_API_BASE_URL="${baseUrl}" \\
  -e OPENAI_API_KEY="${token}" \\
  -v open-webui:/app/backend/data \\
  ghcr.io/open-webui/open-webui:main`,
  },
  {
    name: 'VS Code: Continue',
    kind: 'file',
    file: '.continue/config.yaml',
    snippet: ({ baseUrl, token = ANY_KEY, model }) => `name: Quarry
version: 1.0.0
schema: v1
models:
  - name: Quarry
    provider: openai
    model: ${model}
    apiBase: ${baseUrl}
    apiKey: ${token}
    roles: [chat, edit]`,
  },
  {
    name: 'VS Code: Cline',
    kind: 'fields',
    snippet: ({ baseUrl, token = ANY_KEY, model }) => `API Provider: OpenAI Compatible
Base URL:     ${baseUrl}
API Key:      ${token}
Model ID:     ${model}`,
  },
];
