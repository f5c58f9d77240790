// Memoizes a function of one argument; objects are compared by identity.

export function memoize<Argument, Outcome>(compute: (argument: Argument) => Outcome): (argument: Argument) => Outcome {
  const known = new Map<Argument, Outcome>();
  return (argument) => {
    const found = known.get(argument);
    if (found !== undefined) return found;
    const outcome = compute(argument);
    known.set(argument, outcome);
    return outcome;
  };
}
