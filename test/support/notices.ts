/** Replaces the browser's notifications in a page without a service worker: `shown` has those that it showed. */
export const noticesInPage = `
  globalThis.shown = [];
  globalThis.Notification = class {
    static permission = 'granted';
    constructor(title, options) {
      Object.assign(this, options);
      shown.push({ title, ...options, notice: this });
    }
    close() {}
  };
`;
