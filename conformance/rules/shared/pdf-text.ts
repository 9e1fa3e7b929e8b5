/** Reads the text of a PDF, whoever made it. */
import { getDocumentProxy } from 'unpdf';

/** All text of a PDF, without what separates lines and pages; '' if it cannot be read. */
export async function textOfPdf(bytes: Buffer): Promise<string> {
  const document = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 }).catch(() => undefined);
  let text = '';
  for (let page = 1; page <= (document?.numPages ?? 0); page++) {
    // Letters as they stand in the file: those of several forms are told apart.
    const content = await (await document?.getPage(page))?.getTextContent({ disableNormalization: true });
    for (const item of content?.items ?? []) text += 'str' in item ? item.str : '';
  }
  return text;
}
