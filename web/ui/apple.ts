/** True on Apple's devices, where shortcuts use Command instead of Control. */
export const isApple = /Mac|iP(hone|ad|od)/.test(navigator.platform);
