// A report as its step wrote it: headings, paragraphs, lists and tables; any other input as a value.
import { isJsonArray, isJsonObject, type Json } from '../../../base/json.ts';
import { cellsOf, printed, type ReportSection } from '../../../capabilities/formats/report-section.ts';
import { Value } from '../parts/value.tsx';

export function ReportText({ input }: { readonly input: Json }) {
  if (!isJsonObject(input) || !isJsonArray(input.sections)) return <Value value={input} />;
  return (
    <article class="report">
      {typeof input.title === 'string' && <h3>{input.title}</h3>}
      {input.sections.map((section, index) => (
        // The contract of the capability has checked the sections before the report was written.
        <Section key={index} section={section as ReportSection} />
      ))}
    </article>
  );
}

function Section({ section: { heading, text = [], list = [], table } }: { readonly section: ReportSection }) {
  return (
    <>
      {heading !== undefined && <h4>{heading}</h4>}
      {[text].flat().map((paragraph, index) => (
        <p key={index}>{paragraph}</p>
      ))}
      {list.length > 0 && (
        <ul>
          {list.map((item, index) => (
            <li key={index}>{printed(item)}</li>
          ))}
        </ul>
      )}
      {table !== undefined && (
        <table class="steps">
          <thead>
            <tr>
              {table.columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {cellsOf(table).map((cells, index) => (
              <tr key={index}>
                {cells.map((cell, column) => (
                  <td key={column}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}
