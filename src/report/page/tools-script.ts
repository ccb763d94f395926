/** What the scripts of all pages use. Every text from the facts is inserted as text, never as markup. */
export const TOOLS_SCRIPT = String.raw`
const facts = JSON.parse(document.getElementById("facts").textContent);
const page = document.getElementById("page");
let knownTexts;

function texts() {
  knownTexts = knownTexts || JSON.parse(document.getElementById("texts").textContent);
  return knownTexts;
}

function make(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties || {})) {
    if (name === "class") element.className = value;
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

function dot(status, title) {
  return make("span", { class: "dot " + status, title, role: title === undefined ? undefined : "img", "aria-label": title });
}

function number(value) {
  return value.toLocaleString("en");
}

function counted(count, noun) {
  return number(count) + " " + noun + (count === 1 ? "" : "s");
}

// A command, and a button that copies it where the browser allows that.
function commandLine(text) {
  const button = make("button", { type: "button", class: "plain", onclick: async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "copied";
    } catch {
      getSelection().selectAllChildren(code);
    }
  } }, "copy");
  const code = make("code", {}, text);
  return make("span", { class: "command" }, code, button);
}

// One of several words is chosen; choose is called with its number.
function switcher(label, words, chosen, choose) {
  const buttons = words.map((word, index) => make("button", { type: "button", "aria-pressed": String(index === chosen), onclick: () => {
    buttons.forEach((button, other) => button.setAttribute("aria-pressed", String(other === index)));
    choose(index);
  } }, word));
  return make("div", { class: "switch", role: "group", "aria-label": label }, ...buttons);
}
`;
