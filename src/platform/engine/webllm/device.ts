/**
 * @file Notices that the GPU is gone. WebLLM writes it to the console and forgets its model; the device itself it keeps to
 * itself, so it is caught here as the browser hands it out. Only in our own worker, where nothing else asks for one.
 */

/** Begins to watch: call it before the engine asks for its device. */
export function watchDevice(): { readonly lost: Promise<string> } {
  const lost = new Promise<string>((tell) => {
    const { requestDevice } = GPUAdapter.prototype;
    GPUAdapter.prototype.requestDevice = async function (this: GPUAdapter, descriptor) {
      const device = await requestDevice.call(this, descriptor);
      void device.lost.then(({ reason, message }) => tell(message === '' ? reason : message));
      // After this the buffers that could not be had are holes in the model.
      device.addEventListener('uncapturederror', ({ error }) => {
        if (error instanceof GPUOutOfMemoryError) tell(`Out of GPU memory. ${error.message}`);
      });
      return device;
    };
  });
  return { lost };
}
