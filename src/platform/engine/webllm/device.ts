/**
 * @file Detects that the GPU is lost. WebLLM only logs the loss and drops its model, and it doesn't expose the device. So this
 * file intercepts the request for the device. It does so in Podium's own Web Worker, where nothing else requests a device.
 */

/** Watches the device that the engine will request. `lost` resolves with the reason if the device is lost or out of memory. */
export function watchDevice(): { readonly lost: Promise<string> } {
  const lost = new Promise<string>((resolve) => {
    const { requestDevice } = GPUAdapter.prototype;
    GPUAdapter.prototype.requestDevice = async function (this: GPUAdapter, descriptor) {
      const device = await requestDevice.call(this, descriptor);
      void device.lost.then(({ reason, message }) => resolve(message === '' ? reason : message));
      // If a buffer could not be allocated, the model is incomplete, so this counts as a loss.
      device.addEventListener('uncapturederror', ({ error }) => {
        if (error instanceof GPUOutOfMemoryError) resolve(`Out of GPU memory. ${error.message}`);
      });
      return device;
    };
  });
  return { lost };
}
