/**
 * Asks a running node through the OpenAI API: the models it has, an answer, and one that streams.
 * Usage: node examples/openai-client.ts [URL of the node] [model]
 */
import OpenAI from 'openai';

const [url = 'http://127.0.0.1:7070', model = 'local'] = process.argv.slice(2);
const client = new OpenAI({
  baseURL: `${url}/v1`,
  apiKey: process.env.QUARRY_API_TOKEN ?? 'none is needed on loopback',
});

const models = await client.models.list();
console.log(`models: ${models.data.map(({ id }) => id).join(', ')}`);

const messages = [{ role: 'user' as const, content: 'What is a mesh?' }];
const answer = await client.chat.completions.create({ model, messages, max_completion_tokens: 32 });
console.log(`answer: ${answer.choices[0]?.message.content}`);
console.log(`tokens: ${answer.usage?.completion_tokens}, because of «${answer.choices[0]?.finish_reason}»`);

process.stdout.write('stream: ');
const stream = await client.chat.completions.create({ model, messages, max_completion_tokens: 32, stream: true });
for await (const { choices } of stream) process.stdout.write(choices[0]?.delta.content ?? '');
process.stdout.write('\n');
