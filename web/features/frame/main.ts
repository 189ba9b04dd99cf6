/** Props of the main pane, which is the landmark and the target of the skip link. */
export const asMain = { role: 'main', id: 'main', tabIndex: -1 };
