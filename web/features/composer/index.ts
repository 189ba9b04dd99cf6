export { CompletionList, optionId } from './CompletionList.tsx';
export { Composer } from './Composer.tsx';
export { isInOpenFence } from './fence.ts';
export { lengthOf, tidied } from './format.ts';
export { askFor, isKnown } from './people.ts';
export { focusField, putInto, quote } from './putting.ts';
export { startReply } from './replying/index.ts';
export { useCompletion } from './useCompletion.ts';
export { fitHeight, MOST } from './useField.ts';
