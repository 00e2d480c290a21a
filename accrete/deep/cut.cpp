#include "accrete/deep/cut.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/csrc/jit/passes/dead_code_elimination.h>
#include <torch/csrc/jit/passes/inliner.h>

#include <optional>
#include <vector>

#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"

namespace accrete::deep {
namespace {

namespace jit = torch::jit;
using core::UsageError;

/// Throws unless the submodule exists; the message lists the submodules at the level where the path ends.
void require_submodule(const jit::Module& module, const std::string& name) {
  constexpr std::size_t max_listed = 20;
  jit::Module at = module;
  std::string parent;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('.', begin), name.size());
    const std::string part = name.substr(begin, end - begin);
    std::vector<std::string> children;
    std::optional<jit::Module> next;
    for (const auto& child : at.named_children()) {
      children.push_back(child.name);
      if (child.name == part) next = child.value;
    }
    if (!next) {
      const std::size_t count = children.size();
      if (count > max_listed) children.resize(max_listed);
      throw UsageError(core::parameter("cut", name),
                       fmt::format("module not found; {} has {}{}", parent.empty() ? "the network" : "'" + parent + "'",
                                   count == 0 ? "none" : fmt::format("{}", fmt::join(children, ", ")),
                                   count > max_listed ? fmt::format(", ... ({} in all)", count) : ""));
    }
    at = *next;
    parent = name.substr(0, end);
    begin = end + 1;
  }
}

/// "classifier.3" for a value that is this submodule of `self`, "" for self; unset for any other value.
std::optional<std::string> path_of(const jit::Value* value, const jit::Value* self) {
  std::string path;
  for (; value != self; value = value->node()->input(0)) {
    if (value->node()->kind() != c10::prim::GetAttr) return std::nullopt;
    const std::string& name = value->node()->s(c10::attr::name);
    path = path.empty() ? name : name + "." + path;
  }
  return path;
}

std::optional<std::string> called_module(const jit::Graph& graph, const jit::Node* call) {
  return path_of(call->input(0), graph.inputs()[0]);
}

/// Inlines calls of methods of the module itself and of submodules that contain the named one, until all calls of the
/// named submodule are in the graph.
void inline_calls(jit::Graph& graph, const std::string& name) {
  for (bool inlined = true; inlined;) {
    inlined = false;
    for (jit::Node* call : jit::findAllNodes(graph, c10::prim::CallMethod, /*recurse=*/true)) {
      const auto path = called_module(graph, call);
      if (!path || !(path->empty() || name.starts_with(*path + "."))) continue;
      jit::GraphFunction* callee = jit::tryToGraphFunction(call);
      if (!callee) continue;
      jit::inlineCallTo(call, callee, callee->graph().get());  // one level: nested calls remain calls
      inlined = true;
    }
  }
}

/// The only call of the named submodule.
jit::Node* find_call(jit::Graph& graph, const std::string& name) {
  inline_calls(graph, name);
  std::vector<jit::Node*> calls;
  for (jit::Node* call : jit::findAllNodes(graph, c10::prim::CallMethod, /*recurse=*/true))
    // In a traced module the second call is forward1, and so on.
    if (called_module(graph, call) == name && call->s(c10::attr::name).starts_with("forward")) calls.push_back(call);
  if (calls.empty()) throw UsageError(core::parameter("cut", name), "forward never calls this module");
  if (calls.size() > 1)
    throw UsageError(core::parameter("cut", name),
                     fmt::format("forward calls this module {} times; it must be called once", calls.size()));
  if (calls.front()->owningBlock() != graph.block())
    throw UsageError(core::parameter("cut", name), "this module is called inside a branch or a loop");
  return calls.front();
}

/// Ends the graph after the node. Removes all later nodes, even unused ones, because they may modify the output in
/// place.
void truncate_after(jit::Graph& graph, jit::Node* last) {
  while (!graph.outputs().empty()) graph.eraseOutput(graph.outputs().size() - 1);
  graph.registerOutput(last->output());
  while (graph.return_node()->prev() != last) graph.return_node()->prev()->destroy();
}

/// Reduces the inputs to self and one tensor; the others get their defaults.
void bind_default_inputs(jit::Graph& graph, const c10::FunctionSchema& schema) {
  const auto refuse = [&](const std::string& what) {
    throw UsageError(fmt::format("the network's forward takes {}; it must take one tensor", what));
  };
  const std::size_t count = graph.inputs().size();
  if (count < 2) refuse("no input");
  if (!graph.inputs()[1]->type()->isSubtypeOf(*c10::TensorType::get()))
    refuse("a " + graph.inputs()[1]->type()->repr_str());
  for (std::size_t i = count; i-- > 2;) {
    jit::Value* input = graph.inputs()[i];
    if (input->hasUses()) {
      const auto& value = schema.arguments()[i].default_value();
      if (!value) refuse(fmt::format("'{}' too", schema.arguments()[i].name()));
      jit::WithInsertPoint at(*graph.block()->nodes().begin());
      input->replaceAllUsesWith(graph.insertConstant(*value));
    }
    graph.eraseInput(i);
  }
}

void check_output(const jit::Graph& graph, const std::string& name) {
  const c10::TypePtr type = graph.outputs().at(0)->type();
  if (type->isSubtypeOf(*c10::TensorType::get())) return;
  if (name.empty())
    throw UsageError(core::message("the network returns a {}, not a tensor; name a module with {}", type->repr_str(),
                                   core::parameter("cut")));
  throw UsageError(core::parameter("cut", name),
                   fmt::format("this module returns a {}, not a tensor", type->repr_str()));
}

void replace_forward(jit::Module& module, std::shared_ptr<jit::Graph> graph) {
  const c10::QualifiedName name(*module.type()->name(), "forward");
  const auto unit = module._ivalue()->compilation_unit();
  module.type()->unsafeRemoveMethod("forward");
  unit->unsafeRemoveMethod(name);
  module.type()->addMethod(unit->create_function(name, std::move(graph)));
}

}  // namespace

torch::jit::Module cut(const torch::jit::Module& module, const std::string& name) {
  if (!module.find_method("forward")) throw UsageError("the network has no method forward");
  if (!name.empty()) require_submodule(module, name);
  jit::Module result = module.clone();  // clones its types as well, so that forward can be replaced
  result.eval();
  const jit::Method forward = result.get_method("forward");
  const auto graph = forward.graph()->copy();
  if (!name.empty()) truncate_after(*graph, find_call(*graph, name));
  jit::EliminateDeadCode(graph);
  bind_default_inputs(*graph, forward.function().getSchema());
  check_output(*graph, name);
  replace_forward(result, graph);
  return result;
}

}  // namespace accrete::deep
