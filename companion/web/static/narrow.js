// Narrows what this page shows while one types. Without it, the button searches all there is.
"use strict";
const field = document.querySelector("[data-narrows]");
const told = document.getElementById("narrowed");
field.addEventListener("input", () => {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = [...document.querySelectorAll(field.dataset.narrows)];
  let left = 0;
  for (const each of found) {
    const text = each.textContent.toLowerCase();
    each.hidden = !words.every((word) => text.includes(word));
    left += each.hidden ? 0 : 1;
  }
  told.textContent = words.length ? `${left} of ${found.length} on this page. “Search” looks through all.` : "";
});
