# The installed headers. Users include the entry headers; the others are installed because an entry header includes them.
# scripts/check_layout.py checks that the list is complete and has no header that no entry header needs.
set(accrete_entry_headers
  accrete/accrete.hpp                # train, predict, save and load
  accrete/baseline/fit.hpp           # plain networks and AdaBoost
  accrete/core/random.hpp            # random numbers from (seed, step, purpose)
  accrete/data/recognise.hpp         # numbers and dates in text columns
  accrete/data/split.hpp             # train and test rows, folds
  accrete/io/csv.hpp                 # tables from CSV files
  accrete/io/svmlight.hpp            # tables from svmlight files
  accrete/loss/custom.hpp            # losses of the calling program
  accrete/tune/cross_validation.hpp) # repeated k-fold cross-validation
set(accrete_included_headers
  accrete/activation/list.hpp
  accrete/activation/logistic.hpp
  accrete/activation/relu.hpp
  accrete/activation/tanh.hpp
  accrete/backend/fit_device.hpp
  accrete/backend/rows.hpp
  accrete/baseline/config.hpp
  accrete/baseline/parameters.hpp
  accrete/boosting/constraints.hpp
  accrete/boosting/fit.hpp
  accrete/boosting/step.hpp
  accrete/boosting/step/step_bounds.hpp
  accrete/boosting/choose/time_left.hpp
  accrete/boosting/train.hpp
  accrete/comm/communicator.hpp
  accrete/config/config.hpp
  accrete/config/constraints.hpp
  accrete/config/row_weights.hpp
  accrete/config/field.hpp
  accrete/config/learning_rate_schedule.hpp
  accrete/config/objective.hpp
  accrete/config/parameter.hpp
  accrete/core/aligned.hpp
  accrete/core/content_id.hpp
  accrete/core/error.hpp
  accrete/core/inline.hpp
  accrete/core/mapped.hpp
  accrete/core/math.hpp
  accrete/core/matrix.hpp
  accrete/core/message.hpp
  accrete/core/named_list.hpp
  accrete/core/suggest.hpp
  accrete/core/parallel.hpp
  accrete/core/tiled.hpp
  accrete/core/version.hpp
  accrete/data/encoder/column_encoding.hpp
  accrete/data/dataset.hpp
  accrete/data/encoder.hpp
  accrete/data/features.hpp
  accrete/data/encoder/fit_input.hpp
  accrete/data/input.hpp
  accrete/data/encoder/number_grid.hpp       # the numbers that training rounds a binned column to
  accrete/data/encoder/ramps.hpp
  accrete/data/sparse.hpp
  accrete/data/table.hpp
  accrete/data/target.hpp
  accrete/data/recognise/text_format.hpp
  accrete/explain/contributions.hpp
  accrete/io/file_text.hpp
  accrete/io/model_file.hpp
  accrete/loss/cross_entropy.hpp
  accrete/loss/formula.hpp
  accrete/loss/huber.hpp
  accrete/loss/list.hpp
  accrete/loss/logistic.hpp
  accrete/loss/poisson.hpp
  accrete/loss/quantile.hpp
  accrete/loss/softmax.hpp
  accrete/loss/squared.hpp
  accrete/loss/start.hpp
  accrete/metric/labelled_predictions.hpp
  accrete/model/early_exit.hpp
  accrete/model/lazy_tables.hpp
  accrete/model/method.hpp
  accrete/model/model.hpp
  accrete/network/block.hpp
  accrete/network/interleaved_weights.hpp
  accrete/network/network.hpp
  accrete/network/plain.hpp
  accrete/solver/bounded_lbfgs.hpp
  accrete/solver/problem.hpp
  accrete/solver/vectors.hpp
  accrete/tune/problem.hpp
  accrete/tune/statistics/ranks.hpp
  accrete/tune/summary.hpp)
