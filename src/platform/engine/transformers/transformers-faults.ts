/** @file Faults that only transformers.js models can have. */
import { fault, type Fault } from '../../../core/contract';
import { statusFault, type Named } from '../engine-faults';

export function httpFault(status: number, path: string, named: Named): Fault {
  return status === 404 ? missingFile(path, named) : statusFault(status, named);
}

export function missingFile(path: string, { label, host }: Named): Fault {
  if (host === null) {
    return fault(
      'not-found',
      `The folder of ${label} has no ${path}. Open the folder that contains config.json and onnx.`,
    );
  }
  const message = `${label} has no ${path} on ${host}. Check its name and revision, and that it is an ONNX model.`;
  return fault('not-found', message);
}

export function emptyFolderFault(label: string): Fault {
  return fault('not-found', `The folder of ${label} is no longer available. Open it again on Models.`);
}

export function otherEngineFault(label: string): Fault {
  return fault(
    'bad-request',
    `${label} is not a model for transformers.js. Give the id of an ONNX model, or a folder with one.`,
  );
}

export function wrongTypeFault(type: string, { label }: Named): Fault {
  const message = `${label} can’t generate text. Its type is “${type}”. Choose a language model in ONNX form.`;
  return fault('bad-request', message);
}

export function unreadableFault(path: string, { label }: Named): Fault {
  const message = `Couldn’t read ${path} of ${label}. Delete the model on Models, then load it again.`;
  return fault('broken-reply', message);
}

export function noTemplateFault({ label }: Named): Fault {
  return fault('bad-request', `${label} has no chat template, so it can’t be prompted. Choose an “instruct” model.`);
}

export function endlessGrammarFault({ label }: Named): Fault {
  return fault(
    'bad-request',
    `The grammar left ${label} no possible token. Turn the grammar off on Models, then try again.`,
  );
}
