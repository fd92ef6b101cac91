/** @file What can go wrong with a model of transformers.js alone. */
import { fault, type Fault } from '../../../core/contract';
import { statusFault, type Named } from '../engine-faults';

export function httpFault(status: number, path: string, named: Named): Fault {
  return status === 404 ? missingFile(path, named) : statusFault(status, named);
}

export function missingFile(path: string, { label, host }: Named): Fault {
  if (host === null) {
    return fault(
      'not-found',
      `The folder of ${label} has no ${path}. Open the folder that holds config.json and onnx.`,
    );
  }
  const message = `${label} has no ${path} on ${host}. Check its name and revision, and that it is an ONNX model.`;
  return fault('not-found', message);
}

export function emptyFolderFault(label: string): Fault {
  return fault('not-found', `The folder of ${label} is not at hand any more. Open it again on Models.`);
}

export function otherEngineFault(label: string): Fault {
  return fault(
    'bad-request',
    `${label} is not a model for transformers.js. Give the id of an ONNX model, or a folder with one.`,
  );
}

export function wrongTypeFault(type: string, { label }: Named): Fault {
  const message = `${label} cannot write text: it is of the type “${type}”. Choose a language model in ONNX form.`;
  return fault('bad-request', message);
}

export function unreadableFault(path: string, { label }: Named): Fault {
  const message = `${path} of ${label} cannot be read. Delete the model on Models and load it again.`;
  return fault('broken-reply', message);
}

export function noTemplateFault({ label }: Named): Fault {
  return fault('bad-request', `${label} has no chat template, so it cannot be talked to. Choose an “instruct” model.`);
}

export function endlessGrammarFault({ label }: Named): Fault {
  return fault(
    'bad-request',
    `The grammar left ${label} nothing to write. Turn the grammar off on Models and try again.`,
  );
}
