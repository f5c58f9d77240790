// The files that `reconverge init` writes: a template that grows a step for each file it finds, a handler, data, and a test.

const template = `# yaml-language-server: $schema=./template.schema.json
# Lists a folder, grows one step for each text file in it, and writes a report of what they found.
#
#   PROGRAM validate template.yaml      what is wrong with it, with lines and hints
#   PROGRAM explain template.yaml       the most that any run of it can use
#   PROGRAM run template.yaml           run it
#   PROGRAM why latest describe_1       why a step is there, and what became of it
#   PROGRAM test                        try what template.scenarios.yaml expects of it
reconverge: 1
name: first-plan
description: Look at every text file of a folder and write a report.

budget:
  max_total_steps: 30
  max_total_planning_phases: 1
  max_wall_clock_time: 5m
capabilities: [files.list, text.count, report.write, ./handlers.mts]   # steps may call these and nothing else
roots: [data, reports]                                                   # on files in these folders

steps:
  - name: list
    handler: files.list
    input: { folder: data }

  # A planning step answers with new steps, once the run knows what there is. This planner is a rule in Lisp;
  # the steps it grafts come together again at its convergence target.
  - name: plan
    type: planning
    dependencies: [list]
    goal: Describe each file.
    allow: [notes.*]
    budget: { max_fragment_steps: 20, max_fragment_depth: 1 }
    convergence_target: report
    planner:
      kind: lisp
      source: !lisp |
        (let [files (take 20 (get-in data/packet [:results "list" :files]))]
          {:rationale (format "one step for each of %d files" (count files))
           :steps (map-indexed (fn [index file]
                                 {:name         (str "describe_" (inc index))
                                  :capability   "notes.describe"
                                  :input        {:path (:path file)}
                                  :verification "(pos? (get data/result :lines))"})
                               files)})

  # Runs when every branch has ended, whatever became of it, and says what is missing.
  - name: report
    type: deferred
    dependencies: [plan]
    convergence: { policy: all_settled }
    handler: report.write
    input:
      path: reports/{{ run.id }}.md
      title: What the files hold
      sections: !lisp |
        (let [found (vec (vals (dissoc data/depends "list")))]
          (concat
            [{:table {:columns ["path" "lines" "longest"] :rows found}}]
            (when (seq (:failed data/convergence))
              [{:heading "What failed"
                :table {:columns ["step" "code" "message"] :rows (:failed data/convergence)}}])))

  # A person may have the last word: take the # away, and the run ends only when somebody has answered, here or with
  # "PROGRAM review latest g1 --approve".
  # - name: agree
  #   type: human_review
  #   dependencies: [report]
  #   prompt: Is {{ results.report.path }} good?
`;

const scenarios = `# yaml-language-server: $schema=./scenarios.schema.json
# How runs of template.yaml must go. In a pipeline, "PROGRAM test" exits 0 only when all of them did.
scenarios:
  - name: describes every file of the folder
    expect:
      status: completed
      partial: false
      results:
        list: { count: 2 }
        plan.1/describe_1: { path: data/journal.txt, lines: 3, longest: "Tuesday: it rained again, and the boat came loose in the night." }

  - name: reports what there is when the budget is too small for a plan
    budget: { max_total_steps: 4 }
    expect: { status: completed, partial: true }
`;

const handlers = `// The template's own capabilities: what they take, what they answer, and what they do.
import { defineCapability } from 'reconverge';

export const describe = defineCapability({
  name: 'notes.describe',
  description: 'Count the lines of a text file and find the longest.',
  input: '{path :string}',
  output: '{path :string, lines :int, longest :string}',
  effects: ['read'],
  async run({ path }, ctx) {
    const text = (await ctx.files.read(path, 1_000_000)).toString('utf8');
    const lines = text.split('\\n').filter((line) => line.trim() !== '');
    const longest = lines.reduce((best, line) => (line.length > best.length ? line : best), '');
    return { path, lines: lines.length, longest };
  },
});
`;

const shopping = `bread
milk
two kilos of potatoes
`;

const journal = `Monday: it rained.
Tuesday: it rained again, and the boat came loose in the night.
Wednesday: sun.
`;

/**
 * The files by path, relative to the new folder.
 * @param program the words that call the command line there
 */
export function starterFiles(program: string): Readonly<Record<string, string>> {
  const typed = (text: string) => text.replaceAll('PROGRAM', () => program);
  return {
    'template.yaml': typed(template),
    'template.scenarios.yaml': typed(scenarios),
    // The suffix .mts makes the file a module, whatever package.json is in a parent folder.
    'handlers.mts': handlers,
    'data/shopping.txt': shopping,
    'data/journal.txt': journal,
    '.gitignore': '.reconverge/\nreports/\n',
  };
}
