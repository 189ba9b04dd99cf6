/**
 * The components used by all pages. This is a summary; each file documents its props. `?` marks optional props, and `field` stands for
 * `label, name?, hint?, error?, isOptional?, isLabelHidden?`.
 *
 * | Component | Props |
 * |---|---|
 * | `Button` | `kind? main plain quiet danger`, `size? small medium`, `icon?`, `isPending?`, `isWide?`, and the props of `<button>` |
 * | `IconButton` | `icon`, `label` (its name and tooltip), `keys?`, `isOn?`, `hasNews?`, `kind?`, `size?`, `isPending?`, and the props of `<button>` |
 * | `Icon` | `name`, `size? 18` |
 * | `Spinner` | `label?`, `size?` |
 * | `Badge` | `kind? plain accent good warm bad blue count`, `label?` (the meaning of a number) |
 * | `Avatar` | `id`, `name`, `src?`, `size? 36`, `presence? online idle dnd offline`, `isAgent?`, `isServer?` |
 * | `Dialog` | `title`, `onClose`, `size? s m l full`, `foot?`, `isBusy?`, `isFirm?`, `isTitleHidden?`; open while it is rendered |
 * | `Confirm` | `title`, `text`, `action`, `onConfirm` (may be async), `isDanger?`, `typed?`, `onClose`; from anywhere: `confirm.ask({…})` |
 * | `openDialog` | `(close) => <Dialog … />`: a dialog from anywhere |
 * | `Popover` | `anchor` (ref or `{ x, y }`), `label`, `onClose`, `placement?`, `role?`; open while it is rendered |
 * | `Menu` | `label`, `items` (list or function), `placement?`, children `(trigger) => <IconButton {...trigger} … />` |
 * | `MenuList` | `label`, `items`, `anchor`, `onClose`: only the menu, for a right-click |
 * | `useMenu` | `{ anchor, open(at), close, trigger }`: for a menu that opens in several ways; for a row's menu, use `menuHandlers(open)` from `ui/hold.ts` |
 * | `MenuItem` | `{ label, onSelect, icon?, note?, isDanger?, isDisabled?, isOn?, isOneOf? }`, `'line'`, `{ heading }`, false |
 * | `Tooltip` | `text`; or `data-tip` on any element |
 * | `toast` | `toast.show(text, { kind?, action?: { label, onSelect }, stays? })`, `toast.error(error)` |
 * | `Form` | `onSubmit(values)`, `submit?` (text, or false), `onCancel?`, `isDanger?`, `isWide?`, `label?`; `values.text(name)`, `.optional`, `.isOn`, `.all` |
 * | `TextField` | `field`, `onText?`, `icon?`, `after?`, and the props of `<input>` |
 * | `TextArea` | `field`, `onText?`, `most?` (maximum length, with a counter), `rows?`, and the props of `<textarea>` |
 * | `Select` | `field`, `options { value, label, isDisabled? }`, `value?` or `defaultValue?`, `onValue?`, and the props of `<select>` |
 * | `Choice` | `field`, `options { value, label, icon?, isDisabled? }`, `value?` or `defaultValue?`, `onValue?`, `isDisabled?` |
 * | `Switch`, `Checkbox` | `field`, `isOn?` or `defaultOn?`, `onChange?(isOn)`, `isDisabled?`, `value?` |
 * | `Field` | `field`, children `(wiring) => <input {...wiring} />`: for a custom control. `FieldErrors`: the errors of the surrounding form |
 * | `Tabs` | `label`, `tabs { id, label, icon?, count? }`, `selected`, `onSelect`, children: the selected view |
 * | `Table` | `label`, `columns { key, label, show(row), isNumber?, isActions? }`, `rows` (undefined: loading), `keyOf`, `empty?` |
 * | `List` | `label`, `direction?`, `hasTypeahead?`, children `<li>` with `<a data-item className="list-item">` |
 * | `Empty` | `icon`, `title`, `text?`, children: buttons |
 * | `Copy` | `text`, `label?`, `isShown?`; `copyText(text)` without a button |
 * | `QrCode` | `text`, `label`; imported from `ui/QrCode.tsx`, because few pages have one |
 * | `ErrorText` | `error?` (any thrown value) or children, `onAgain?`; only the text: `messageOf(error)`, and `refusalOf(permission)` for a permission that `may` denies |
 * | `ErrorBoundary` | `resetOn?`, `onError?` |
 * | `Skeleton` | `width?`, `height?`, `isRound?` |
 * | `isNarrow`, `useNarrow`, `hasMouse`, `useMedia` | whether the window is narrow, as on a phone; whether there is a mouse; whether a media query matches |
 * | `useRested` | debounces a text |
 * | `listenAhead`, `typedAhead` | buffer keys typed while a field loads, and pass them to the field; imported from `ui/ahead.ts`, because the first page has no such field |
 * | `late` | a component that is loaded on first use: `late(() => import('./Part.tsx'), { hasField? })`; imported from `ui/late.tsx` |
 * | `optional` | a component that the page can do without until it has loaded: `optional(() => import('./Part.tsx'))`; imported from `ui/missingPart.ts` |
 * | `usePageTitle`, `useUnreadInTab` | the browser tab's title: `title`; `count` |
 * | `Layers` | none; renders the dialogs of `openDialog`, tooltips and toasts; once, next to the page |
 */

export { Avatar } from './Avatar.tsx';
export { Badge } from './Badge.tsx';
export { Button, IconButton } from './Button.tsx';
export { Checkbox, Switch } from './Check.tsx';
export { Choice } from './Choice.tsx';
export { Confirm, confirm } from './Confirm.tsx';
export { Copy } from './Copy.tsx';
export { copyText } from './clipboard.ts';
export { Dialog } from './Dialog.tsx';
export { Empty } from './Empty.tsx';
export { ErrorBoundary } from './ErrorBoundary.tsx';
export { ErrorText } from './ErrorText.tsx';
export { messageOf, refusalOf } from './errors.ts';
export { Field, FieldErrors } from './Field.tsx';
export { Form, type Values } from './Form.tsx';
export { Icon } from './Icon.tsx';
export type { IconName } from './icons.ts';
export { Layers } from './Layers.tsx';
export { List } from './List.tsx';
export { Menu, type MenuItem, MenuList, useMenu } from './Menu.tsx';
export { hasMouse, useMedia, useNarrow } from './media.ts';
export { reloadOnce } from './missingPart.ts';
export { names } from './names.ts';
export { isNarrow } from './narrow.ts';
export { openDialog } from './openDialog.tsx';
export { type Anchor, Popover } from './Popover.tsx';
export { usePageTitle, useUnreadInTab } from './pageTitle.ts';
export { Select } from './Select.tsx';
export { Skeleton } from './Skeleton.tsx';
export { Spinner } from './Spinner.tsx';
export { saveFile } from './saveFile.ts';
export { createStore } from './store.ts';
export { Table } from './Table.tsx';
export { Tabs } from './Tabs.tsx';
export { TextArea } from './TextArea.tsx';
export { TextField } from './TextField.tsx';
export { toast } from './Toast.tsx';
export { Tooltip } from './Tooltip.tsx';
export { useRested } from './useRested.ts';
export { WithName } from './WithName.tsx';
