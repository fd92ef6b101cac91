/** @file The ways to answer a question that is no puzzle, with what each costs in download, money and privacy. */
import type { ModelDesk } from '../services';
import { size } from '../ui/figures';

export interface OtherWay {
  readonly name: string;
  /** What it is, in a few words. */
  readonly about: string;
  readonly download: string;
  readonly price: string;
  readonly privacy: string;
  /** The link that begins this way. `null`: this browser can't do it. */
  readonly link: { readonly text: string; readonly href: string } | null;
}

export const SERVER_WAYS: readonly OtherWay[] = [
  {
    name: 'A provider, with your key',
    about: 'OpenRouter, OpenAI, Anthropic and others.',
    download: 'None',
    price: 'Per call. You see the most a run can cost before it starts.',
    privacy: 'Your question goes to the provider.',
    link: { text: 'Add a connection', href: '#/workers?add=/' },
  },
  {
    name: 'A server on this computer',
    about: 'Ollama, LM Studio, llama.cpp or vLLM.',
    download: 'The server and its models, if you have none yet',
    price: 'Free',
    privacy: 'Your question stays on this computer.',
    link: { text: 'Look for a server', href: '#/workers?add=/&look=1' },
  },
];

const IN_BROWSER = { price: 'Free', privacy: 'Your question stays in this browser.' } as const;
const TO_MODELS = '#/models';

/** The ways with a model in the browser, while it is unknown what this machine can run. */
export const UNKNOWN_BROWSER_WAYS: readonly OtherWay[] = [
  {
    name: 'A model in this browser',
    about: 'It runs on your GPU.',
    download: 'Once, up to several GB',
    ...IN_BROWSER,
    link: { text: 'Choose a model', href: TO_MODELS },
  },
];

/** The ways with a model in the browser. If this browser can't run a model on the GPU, says why. */
export async function browserWays(desk: ModelDesk): Promise<readonly OtherWay[]> {
  const [machine, cached] = await Promise.all([desk.probe(), desk.cache.list(desk.builtIn)]);
  const favourite = desk.builtIn.find(({ id }) => id === desk.favourite);
  const verdict = favourite && desk.fit(favourite, machine, desk.builtIn);
  const fitting =
    verdict?.fit === 'no' ? desk.builtIn.find(({ id }) => id === verdict.instead) : (favourite ?? undefined);
  const isHere = cached.some(({ manifestId, complete }) => manifestId === fitting?.id && complete);
  const own = machine.browserModel ?? 'unavailable';
  return [
    {
      name: 'A model in this browser',
      about: fitting ? `${fitting.label}, for example.` : (verdict?.reasons[0] ?? 'No model fits this machine.'),
      download: isHere ? 'Done' : fitting?.download ? `Once, about ${size(fitting.download)}` : '',
      ...IN_BROWSER,
      link: fitting ? { text: 'Choose a model', href: TO_MODELS } : null,
    },
    ...(own === 'unavailable'
      ? []
      : [
          {
            name: 'The browser’s own model',
            about: 'A small model that comes with this browser. It supports only a few languages.',
            download: own === 'available' ? 'Done' : 'Once, several GB, by the browser',
            ...IN_BROWSER,
            link: { text: 'Use it', href: TO_MODELS },
          },
        ]),
  ];
}
