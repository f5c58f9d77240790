// Attachments as a document lists them: references alone, or with a kind and a label.
import { isJsonArray, isJsonObject, type JsonObject } from '../../base/json.ts';
import { type Attachment, attachmentOf } from '../keys/attachment.ts';
import { choiceAt, defined, textAt } from '../keys/readers.ts';

export function attachmentsAt(raw: JsonObject): readonly Attachment[] {
  const { attachments } = raw;
  const list = isJsonArray(attachments) ? attachments : attachments === undefined ? [] : [attachments];
  return list.flatMap((each) => {
    if (typeof each === 'string') return [attachmentOf(each)];
    const ref = isJsonObject(each) ? textAt(each, 'ref') : undefined;
    if (!isJsonObject(each) || ref === undefined) return [];
    const kind = choiceAt(each, 'kind', ['link', 'file', 'image']) ?? attachmentOf(ref).kind;
    return [defined<Attachment>({ kind, ref, label: textAt(each, 'label') })];
  });
}
