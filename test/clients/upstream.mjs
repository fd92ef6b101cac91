/**
 * A model server whose answers depend on the prompt, so that every client can be tested without a real model: it calls a tool
 * that reads until it sees a result, fills a requested schema, and otherwise answers with a fixed sentence.
 */
import { createServer } from 'node:http';

const ANSWER = 'The answer is 42.';

/** @param {string} prompt */
function answerTo(prompt) {
  const tools = [...prompt.matchAll(/^\{"name":"([^"]+)"/gm)].map(([, name]) => name);
  const tool = tools.find((name) => name.includes('read')) ?? tools[0];
  const result = /Result of [^:]+:\n([^]*?)\n<\/overall-task>/.exec(prompt)?.[1];
  if (result !== undefined) return `The tool says: ${result}`;
  const path = /([\w./-]+\.txt)/.exec(prompt)?.[1] ?? 'notes.txt';
  if (tool) return JSON.stringify({ tool_calls: [{ name: tool, arguments: { path, filePath: path } }] });
  return prompt.includes('valid under this schema') ? '{"answer": 42}' : ANSWER;
}

/** Resolves to the server's base URL, and a function that closes it. */
export async function startUpstream() {
  const calls = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    if (request.method !== 'POST') return response.end('{"data": []}');
    const { messages } = JSON.parse(text);
    const prompt = messages.map(({ content }) => content).join('\n');
    const call = { prompt, isWhole: false };
    calls.push(call);
    response.on('finish', () => (call.isWhole = true));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (data) => response.write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
    const chunk = (delta, finish_reason = null) => ({ choices: [{ index: 0, delta, finish_reason }] });
    if (prompt.includes('Never answer')) return send(chunk({ content: 'Well' }));
    const answer = answerTo(prompt);
    for (const word of answer.match(/\s*\S+/g) ?? []) send(chunk({ content: word }));
    send(chunk({}, 'stop'));
    const tokens = { prompt_tokens: Math.ceil(prompt.length / 4), completion_tokens: Math.ceil(answer.length / 4) };
    send({ choices: [], usage: { ...tokens, total_tokens: tokens.prompt_tokens + tokens.completion_tokens } });
    send('[DONE]');
    response.end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    calls,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
