import qrcode from 'qrcode-generator';

qrcode.stringToBytes = (text) => [...new TextEncoder().encode(text)];

/**
 * Encodes text as a QR code: rows of modules, true for dark ones, with about 15% error correction. Throws if
 * the text is too long.
 */
export function qrCodeOf(text: string): boolean[][] {
  const code = qrcode(0, 'M');
  code.addData(text);
  code.make();
  const modules = Array.from({ length: code.getModuleCount() }, (_, at) => at);
  return modules.map((y) => modules.map((x) => code.isDark(y, x)));
}
