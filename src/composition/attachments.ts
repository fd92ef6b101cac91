/** @file The code for images and files that are attached to a question. Lazy-loaded as one file, because most questions have none. */
export { prepareImage } from '../platform/images/prepare-image';
export { readFile } from '../platform/documents/file-worker/file-desk';
export { createImageStore } from '../platform/store/image-store';
