// Evaluated in the page: what can be pressed or filled in and has no name.
(() =>
  [...document.querySelectorAll('button, input, textarea, select, [role=button]')]
    .filter((each) => {
      const labels = [...(each.labels ?? [])].map((label) => label.textContent).join('');
      return `${each.getAttribute('aria-label') ?? labels}${each.textContent}`.trim() === '';
    })
    .map((each) => each.outerHTML))();
