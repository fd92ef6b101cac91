/** @file The code that reads images and files that are attached to a question. Lazy-loaded, because most questions have none. */
export { prepareImage } from '../platform/images/prepare-image';
export { readFile } from '../platform/documents/file-worker/file-desk';
